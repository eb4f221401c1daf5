import { PolybinError } from "@polybin/core";
import { Command, Option } from "commander";
import { parseWhole } from "../base/index.ts";
import { dashed } from "./checks.ts";
import { choice, collected } from "./option.ts";
import { parseTypes } from "./types.ts";

/** The options of the readers of tables as they were typed. */
export interface ReadingOptions {
  readonly format?: string;
  readonly types?: string;
  readonly separator?: string;
  readonly quote?: string;
  readonly escape?: string;
  readonly comment?: string;
  readonly skip?: string;
  readonly badRows?: string;
  readonly decimal?: string;
  readonly dateFormat?: string;
  readonly header?: string;
  readonly nulls?: string;
  readonly encoding?: string;
  readonly quotedNewlines?: boolean;
  readonly array?: string;
  readonly flatten?: boolean;
  readonly httpHeader?: readonly string[];
}

/** The formats of tables. `openTable` knows them, and a test compares them. */
export const TABLE_FORMATS: readonly string[] = ["arrow", "csv", "jsonl", "npy", "npz", "parquet"];
/** The ways with records that do not fit, which a test compares, too. */
export const BAD_ROWS: readonly string[] = ["error", "skip"];
/** The encodings of texts, which a test compares, too. */
export const ENCODINGS: readonly string[] = ["utf-8", "latin1"];

/** Adds the options of the readers of tables, which every command over tables has. */
export function readingOptions(command: Command): Command {
  return command
    .optionsGroup("Tables:")
    .addOption(
      choice(
        "--format <NAME>",
        `the format of a table: ${TABLE_FORMATS.join(", ")} (default: the one that its first bytes or its name show)`,
        TABLE_FORMATS,
      ),
    )
    .option(
      "--types <NAME=TYPE,...>",
      "types of columns of CSV and JSON Lines, such as id=string,price=f64 (default: those that the first rows show)",
    )
    .option(
      "--separator <CHAR>",
      "character between the fields of CSV, or tab (default: a tab for .tsv and .tab, else the one that fits)",
    )
    .option(
      "--quote <CHAR>",
      'character around fields of CSV, doubled inside them, or none (default: ", unless only another one fits)',
    )
    .option(
      "--escape <CHAR>",
      "character of CSV before one without a meaning, or none (default: none, unless only \\ fits)",
    )
    .option(
      "--comment <CHAR>",
      "first character of lines of CSV that are no records, or none (default: none, unless only # fits)",
    )
    .option(
      "--skip <N>",
      "lines of CSV before the table (default: those before the first of records that are alike)",
    )
    .addOption(
      choice(
        "--bad-rows <error|skip>",
        "whether a record of CSV that does not fit is an error, or is left out and counted (default: error)",
        BAD_ROWS,
      ),
    )
    .option(
      "--decimal <CHAR>",
      "character before the fraction of numbers in CSV, a point or a comma (default: .)",
    )
    .option(
      "--date-format <FORMAT>",
      "format of dates or times in CSV, such as %d.%m.%Y or '%m/%d/%y %I:%M %p' (default: ISO 8601)",
    )
    .addOption(
      choice(
        "--header <yes|no|A,B,...>",
        "whether the first record of CSV has names, or the names (default: yes, unless a field of it is a number or a time)",
        ["yes", "no"],
      ),
    )
    .option(
      "--nulls <A,B,...>",
      "texts that are nulls in every column of CSV, such as -,NA (default: empty fields, and outside strings also NA, N/A, " +
        "null, NULL and \\N)",
    )
    .addOption(
      choice(
        "--encoding <NAME>",
        `encoding of CSV: ${ENCODINGS.join(", ")}, which is that of Windows (default: ${ENCODINGS[0]})`,
        ENCODINGS,
      ),
    )
    .option("--quoted-newlines", "fields of CSV have line breaks: shards and parts must not cut the file")
    .option(
      "--array <NAME>",
      "the array of an NPZ archive (default: all, which must have one number of rows)",
    )
    .option("--flatten", "an array of NPY and NPZ with two dimensions is one column")
    .addOption(
      new Option(
        "--http-header <NAME: VALUE>",
        "header of requests to http: and https:, such as 'Authorization: Bearer TOKEN'; can be given several times",
      ).argParser(collected),
    );
}

/** How tables are read: the format, and the options of its reader, which checks them. */
export interface Reading {
  /** Null: the first bytes of a file or its name show it. */
  readonly format: string | null;
  /** Without those that are not given. Plain JSON, since a task carries it. */
  readonly read: Readonly<Record<string, unknown>>;
  /** Headers of requests over HTTP. No task carries them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads the options. @throws ERR_INPUT */
export function parseReading(options: ReadingOptions): Reading {
  const { format = null, types, separator, quote, header, nulls, encoding, ...others } = options;
  const { quotedNewlines, array, flatten, comment, skip, badRows, decimal, dateFormat } = others;
  const read = {
    types: types === undefined ? undefined : parseTypes(types),
    separator: separator === undefined ? undefined : (TABS.get(separator) ?? separator),
    quote: quote === "none" ? null : quote,
    escape: others.escape === "none" ? null : others.escape,
    comment: comment === "none" ? null : comment,
    skip: skip === undefined ? undefined : parseWhole(skip, "--skip", 0, Number.MAX_SAFE_INTEGER),
    badRows,
    decimal,
    dateFormat,
    header: header === undefined ? undefined : (SWITCH.get(header) ?? header.split(",")),
    nulls: nulls?.split(","),
    encoding,
    quotedNewlines,
    array,
    flatten,
  };
  return {
    format,
    headers: headersIn(options.httpHeader ?? []),
    read: Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)),
  };
}

/** Reads NAME: VALUE. @throws ERR_INPUT. The message does not repeat a value, which may be secret. */
function headersIn(given: readonly string[]): Record<string, string> {
  const headers = given.map((text) => {
    const colon = text.indexOf(":");
    if (colon < 1) throw new PolybinError("ERR_INPUT", "expected NAME: VALUE for --http-header");
    return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()] as const;
  });
  return Object.fromEntries(headers);
}

/** Shells make a tab of neither. */
const TABS: ReadonlyMap<string, string> = new Map([
  ["tab", "\t"],
  ["\\t", "\t"],
]);

const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["no", false],
]);

/** The names of the options, as commander has them. */
const NAMES = readingOptions(new Command()).options.map((option) => option.attributeName());

/** @throws ERR_INPUT if one of the options is given without `needed`, by which a file is read as a table */
export function refuseReading(options: ReadingOptions, needed: string): void {
  const given = NAMES.find((name) => options[name as keyof ReadingOptions] !== undefined);
  if (given === undefined) return;
  throw new PolybinError("ERR_INPUT", `expected ${needed} with --${dashed(given)}, which is for tables`);
}

import { PolybinError } from "@polybin/core";
import { parseTypes } from "./types.ts";

/** The options of the readers of tables as they were typed. */
export interface ReadingOptions {
  readonly format?: string;
  readonly types?: string;
  readonly separator?: string;
  readonly quote?: string;
  readonly header?: string;
  readonly nulls?: string;
  readonly encoding?: string;
  readonly quotedNewlines?: boolean;
  readonly array?: string;
  readonly flatten?: boolean;
}

/** How tables are read: the format, and the options of its reader, which checks them. */
export interface Reading {
  /** Null: the first bytes of a file or its name show it. */
  readonly format: string | null;
  /** Without those that are not given. Plain JSON, since a task carries it. */
  readonly read: Readonly<Record<string, unknown>>;
}

/** Reads the options. @throws ERR_INPUT */
export function parseReading(options: ReadingOptions): Reading {
  const { format = null, types, separator, quote, header, nulls, encoding, ...others } = options;
  const { quotedNewlines, array, flatten } = others;
  const read = {
    types: types === undefined ? undefined : parseTypes(types),
    separator: separator === undefined ? undefined : (TABS.get(separator) ?? separator),
    quote: quote === "none" ? null : quote,
    header: header === undefined ? undefined : (SWITCH.get(header) ?? header.split(",")),
    nulls: nulls?.split(","),
    encoding,
    quotedNewlines,
    array,
    flatten,
  };
  return {
    format,
    read: Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)),
  };
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
const NAMES: readonly (keyof ReadingOptions)[] = [
  "format",
  "types",
  "separator",
  "quote",
  "header",
  "nulls",
  "encoding",
  "quotedNewlines",
  "array",
  "flatten",
];

/** @throws ERR_INPUT if one of the options is given without `needed`, by which a file is read as a table */
export function refuseReading(options: ReadingOptions, needed: string): void {
  const given = NAMES.find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw new PolybinError("ERR_INPUT", `expected ${needed} with --${dashed(given)}, which is for tables`);
}

/** extentFrom -> extent-from */
export function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

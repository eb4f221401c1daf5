import { checkSwitch, expected } from "@polybin/core/backend";
import { type CommonOptions, PART_BYTES } from "../../table/index.ts";
import { ENCODINGS, type Encoding, type Marks } from "../lib/text/index.ts";
import {
  checkedTypes,
  dateFormatOf,
  FORMS,
  type TextForms,
  type Types,
  type TypesOption,
} from "../lib/values/index.ts";
import type { Dialect } from "./fields.ts";

/** The quotation mark of most files. */
export const QUOTE = '"';

const BAD_ROWS = ["error", "skip"] as const;
type BadRowsOption = (typeof BAD_ROWS)[number];

/** Options of CSV and TSV files. */
export interface Options extends CommonOptions {
  /** Types of columns. Default: the types that the first rows fit. */
  readonly types?: TypesOption | undefined;
  /** Texts that are nulls in every column. Default: empty fields, and in columns other than strings also NA, N/A, null and \N. */
  readonly nulls?: readonly string[] | undefined;
  /** One character between fields. Default: a tab for .tsv and .tab, else the one of comma, semicolon, tab and | that fits. */
  readonly separator?: string | undefined;
  /** One character around fields, doubled inside them. Null: none. Default: ", unless only another one fits. */
  readonly quote?: string | null | undefined;
  /** One character before one without a meaning, such as a backslash. Null: none. Default: none, unless only \ fits. */
  readonly escape?: string | null | undefined;
  /** One character at the start of lines that are no records. Null: none. Default: none, unless only # fits. */
  readonly comment?: string | null | undefined;
  /** Lines before the table. Default: the lines before the first one of records that are alike. */
  readonly skip?: number | undefined;
  /** Whether a record that does not fit is an error, or is left out and counted. Default: "error". */
  readonly badRows?: BadRowsOption | undefined;
  /** The character before the fraction of a number: a point or a comma. Default: ".". */
  readonly decimal?: string | undefined;
  /** The format of dates, or of times, by directives of strptime, such as "%d.%m.%Y". Default: ISO 8601. */
  readonly dateFormat?: string | undefined;
  /**
   * Whether the first record has names, or the names. Default: it has names unless one of its fields is a number or a time.
   * Years next to other names are names if the records below show it.
   */
  readonly header?: boolean | readonly string[] | undefined;
  /** Whether fields may have line breaks where a part would start. The file is then one part. Default: false. */
  readonly quotedNewlines?: boolean | undefined;
  /** Default: "utf-8". */
  readonly encoding?: Encoding | undefined;
}

/** Names of the options. */
export const OPTIONS = [
  "types",
  "nulls",
  "separator",
  "quote",
  "escape",
  "comment",
  "skip",
  "badRows",
  "decimal",
  "dateFormat",
  "header",
  "quotedNewlines",
  "encoding",
] as const;

/** Options with defaults. */
export interface Checked {
  readonly types: Types;
  readonly nulls: readonly string[] | null;
  /** Undefined: the file shows it. */
  readonly separator: string | undefined;
  readonly quote: string | null | undefined;
  readonly escape: string | null | undefined;
  readonly comment: string | null | undefined;
  readonly skip: number | undefined;
  readonly skipsBadRows: boolean;
  readonly forms: TextForms;
  readonly header: boolean | readonly string[] | null;
  readonly quotedNewlines: boolean;
  readonly encoding: Encoding;
  readonly partBytes: number;
}

/** @throws ERR_INPUT for a value that an option cannot have. */
export function checkOptions(options: Options): Checked {
  const { types, nulls, separator, quote, comment, skip, badRows = "error" } = options;
  const { header, quotedNewlines = false, encoding = "utf-8", partBytes = PART_BYTES } = options;
  checkSwitch(quotedNewlines, "quotedNewlines");
  if (nulls !== undefined && !isTexts(nulls))
    throw expected("ERR_INPUT", "nulls", "an array of texts", nulls);
  if (separator !== undefined && !isCharacter(separator))
    throw expected("ERR_INPUT", "separator", "one ASCII character", separator);
  const others: unknown[] = [separator];
  for (const [name, value] of Object.entries({
    quote: quote === undefined ? QUOTE : quote,
    escape: options.escape,
    comment,
  })) {
    // The character before an escaped quotation mark may be the mark itself, which doubles it.
    const isTaken = name === "escape" ? value === separator : others.includes(value);
    if (value !== undefined && value !== null && (!isCharacter(value) || isTaken)) {
      const what = `one ASCII character that is not the separator${name === "quote" ? "" : " or another mark"}, or null,`;
      throw expected("ERR_INPUT", name, what, value);
    }
    others.push(value ?? undefined);
  }
  if (skip !== undefined && !(Number.isSafeInteger(skip) && skip >= 0))
    throw expected("ERR_INPUT", "skip", "a whole number of lines", skip);
  if (!BAD_ROWS.includes(badRows))
    throw expected("ERR_INPUT", "badRows", `one of ${BAD_ROWS.join(", ")}`, badRows);
  if (header !== undefined && typeof header !== "boolean" && !isTexts(header)) {
    throw expected("ERR_INPUT", "header", "true, false or an array of names", header);
  }
  if (!ENCODINGS.includes(encoding))
    throw expected("ERR_INPUT", "encoding", `one of ${ENCODINGS.join(", ")}`, encoding);
  return {
    ...{ separator, quote, comment, skip, quotedNewlines, encoding, partBytes },
    escape: options.escape === (quote ?? QUOTE) ? null : options.escape,
    skipsBadRows: badRows === "skip",
    types: checkedTypes(types),
    nulls: nulls ?? null,
    header: header ?? null,
    forms: checkedForms(options),
  };
}

function checkedForms({ decimal = FORMS.decimal, dateFormat }: Options): TextForms {
  if (decimal !== "." && decimal !== ",")
    throw expected("ERR_INPUT", "decimal", "a point or a comma", decimal);
  if (dateFormat !== undefined) dateFormatOf(dateFormat);
  return { decimal, dateFormat: dateFormat ?? null };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");

/** Whether a value is one character of ASCII, so one byte, that ends no line. */
const isCharacter = (value: unknown): value is string =>
  typeof value === "string" && /^[^\r\n\0\u0080-\uffff]$/.test(value);

type MarksIn = Pick<Dialect, "quote" | "escape" | "comment">;

/** The marks that the options give, or those of most files. */
export const marksIn = (of: Pick<Checked, keyof MarksIn>): MarksIn => ({
  quote: of.quote === undefined ? QUOTE : of.quote,
  escape: of.escape ?? null,
  comment: of.comment ?? null,
});

/** The bytes of a dialect that decide which newlines end a record. */
export function marksOf(of: MarksIn, separators: readonly string[]): Marks {
  const byte = (character: string | null): number | null => character?.charCodeAt(0) ?? null;
  return {
    quote: byte(of.quote),
    separators: separators.map((separator) => byte(separator)!),
    escape: byte(of.escape),
    comment: byte(of.comment),
  };
}

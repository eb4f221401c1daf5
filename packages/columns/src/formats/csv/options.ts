import { checkSwitch, expected } from "@polybin/core/backend";
import { type CommonOptions, PART_BYTES } from "../../table/index.ts";
import { ENCODINGS, type Encoding } from "../lib/text/index.ts";
import { checkedTypes, type Types, type TypesOption } from "../lib/values/index.ts";

/** Options of CSV and TSV files. */
export interface Options extends CommonOptions {
  /** Types of columns. Default: the types that the first rows fit. */
  readonly types?: TypesOption | undefined;
  /** Texts that are nulls in every column. Default: empty fields, and in columns other than strings also NA, N/A, null and \N. */
  readonly nulls?: readonly string[] | undefined;
  /** One character between fields. Default: a tab for .tsv and .tab, else the one of comma, semicolon, tab and | that fits. */
  readonly separator?: string | undefined;
  /** One character around fields, doubled inside them. Null: none. Default: ". */
  readonly quote?: string | null | undefined;
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
  "header",
  "quotedNewlines",
  "encoding",
] as const;

/** Options with defaults. */
export interface Checked {
  readonly types: Types;
  readonly nulls: readonly string[] | null;
  readonly separator: string | null;
  readonly quote: string | null;
  readonly header: boolean | readonly string[] | null;
  readonly quotedNewlines: boolean;
  readonly encoding: Encoding;
  readonly partBytes: number;
}

/** @throws ERR_INPUT for a value that an option cannot have. */
export function checkOptions(options: Options): Checked {
  const {
    types,
    nulls,
    separator,
    quote = '"',
    header,
    quotedNewlines = false,
    encoding = "utf-8",
    partBytes = PART_BYTES,
  } = options;
  checkSwitch(quotedNewlines, "quotedNewlines");
  if (nulls !== undefined && !isTexts(nulls))
    throw expected("ERR_INPUT", "nulls", "an array of texts", nulls);
  if (separator !== undefined && !isCharacter(separator))
    throw expected("ERR_INPUT", "separator", "one ASCII character", separator);
  if (quote !== null && (!isCharacter(quote) || quote === separator)) {
    throw expected("ERR_INPUT", "quote", "one ASCII character that is not the separator, or null,", quote);
  }
  if (header !== undefined && typeof header !== "boolean" && !isTexts(header)) {
    throw expected("ERR_INPUT", "header", "true, false or an array of names", header);
  }
  if (!ENCODINGS.includes(encoding))
    throw expected("ERR_INPUT", "encoding", `one of ${ENCODINGS.join(", ")}`, encoding);
  return {
    types: checkedTypes(types),
    nulls: nulls ?? null,
    separator: separator ?? null,
    quote,
    header: header ?? null,
    quotedNewlines,
    encoding,
    partBytes,
  };
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");

/** Whether a value is one character of ASCII, so one byte, that ends no line. */
const isCharacter = (value: unknown): value is string =>
  typeof value === "string" && /^[^\r\n\0\u0080-\uffff]$/.test(value);

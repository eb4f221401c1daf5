import { failuresOf } from "@polybin/core/backend";
import { CSV, packed } from "../border/index.ts";
import { packedColumns, type TextColumn } from "./columns.ts";

/** Columns to read from whole records of CSV. */
export interface CsvRequest {
  /** One ASCII character. */
  readonly separator: string;
  /** Another ASCII character, or null. */
  readonly quote: string | null;
  /** Fields of a record. */
  readonly width: number;
  readonly columns: readonly TextColumn[];
  /** Texts of ASCII that are nulls, of at most 255 bytes. */
  readonly nulls: readonly string[];
  /** The same in columns of texts. */
  readonly textNulls: readonly string[];
  /** Whether other bytes than UTF-8 are not regular. */
  readonly isUtf8: boolean;
  /** Threads that read pieces at the same time. 0: the calling thread reads. */
  readonly threads: number;
  /** The instructions that find the ends of fields. Default: the best of this processor. */
  readonly instructions?: "best" | "plain" | "avx2";
}

/** Packs the numbers of a request, its columns, and the texts of nulls. */
export function packedCsv({
  separator,
  quote,
  width,
  columns,
  nulls,
  textNulls,
  isUtf8,
  threads,
  instructions = "best",
}: CsvRequest): [Uint8Array, Uint8Array[], Uint8Array, Uint8Array] {
  const [first, second] = [separator.charCodeAt(0), quote === null ? 0 : quote.charCodeAt(0)];
  return [
    packed(CSV, { instructions, separator: first, quote: second, width, utf8: isUtf8, threads }),
    packedColumns(columns),
    nullsOf(nulls),
    nullsOf(textNulls),
  ];
}

/** The longest text of a null: its length is a byte. */
const LONGEST = 255;

function nullsOf(texts: readonly string[]): Uint8Array {
  const bytes = texts.flatMap((text) => {
    const own = [...text].map((character) => character.charCodeAt(0));
    if (own.length > LONGEST || own.some((code) => code > 0x7f)) {
      throw failuresOf("native").failure("ERR_INTERNAL", "expected nulls of at most 255 characters of ASCII");
    }
    return [own.length, ...own];
  });
  return Uint8Array.from(bytes);
}

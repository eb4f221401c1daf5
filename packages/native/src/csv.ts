import { failuresOf } from "@polybin/core/backend";
import { CSV, packed } from "./border/index.ts";
import { packedColumns, placeOf, readerOf, type TextColumn, type TextReader } from "./text.ts";

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

/**
 * Returns the compiled reader of CSV, or null if there is no addon for this platform. It does not read records with
 * quotation marks within a field, another number of fields, or another encoding.
 */
export const csvReader = (): TextReader<CsvRequest> | null =>
  readerOf((addon) => ({
    read: (bytes, request) => addon.readCsv(bytes, ...packedRequest(request)),
    readPart: (place, request) => addon.readCsvPart(placeOf(place), ...packedRequest(request)),
  }));

function packedRequest({
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

import { isPolybinError } from "@polybin/core";
import { failuresOf } from "@polybin/core/backend";
import { CSV, CSV_COLUMN, type CsvFound, type CsvPart, packed } from "./border/index.ts";
import { loaded } from "./platform/index.ts";

export type { CsvFound, CsvPart, CsvValues } from "./border/index.ts";

/**
 * Types of values that the reader stores: samples, bytes 0 and 1, days from 1970-01-01, ticks from it, or the places of
 * texts among the different ones.
 */
export type CsvStored =
  | ("u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "f32" | "f64" | "i64" | "u64")
  | ("boolean" | "date" | "time" | "text");

/** A column to read. */
export interface CsvColumn {
  /** Its place in a record. */
  readonly index: number;
  readonly stored: CsvStored;
  /** The digits of a second's fraction that a tick of a time holds, and whether its texts end with Z. Default: 0, false. */
  readonly digits?: number;
  readonly zone?: boolean;
}

/** Columns to read from whole records whose newline is a line feed. */
export interface CsvRequest {
  /** One ASCII character. */
  readonly separator: string;
  /** Another ASCII character, or null. */
  readonly quote: string | null;
  /** Fields of a record. */
  readonly width: number;
  readonly columns: readonly CsvColumn[];
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

/** A part of an open file: the records that start in its bytes, with every newline taken for the end of one. */
export interface CsvPlace {
  readonly descriptor: number;
  /** Offset of the first record of the file, and bytes of the file. */
  readonly start: number;
  readonly size: number;
  readonly partBytes: number;
  readonly part: number;
}

/** Reads columns of CSV in compiled code. */
export interface CsvReader {
  /**
   * Reads whole records. The memory must not change meanwhile.
   * @returns null if the records are not regular: quotation marks within a field, another number of fields, or
   * another encoding
   */
  read(bytes: Uint8Array, request: CsvRequest): CsvFound | Promise<CsvFound>;
  /** Reads a part of an open file, which must stay open meanwhile. Its columns are null if a record is not regular. */
  readPart(place: CsvPlace, request: CsvRequest): CsvPart | Promise<CsvPart>;
}

/** The largest part of a file that `readPart` takes. */
export { CSV_MOST_BYTES } from "./platform/index.ts";

/** Returns the compiled reader of CSV, or null if there is no addon for this platform. */
export function csvReader(): CsvReader | null {
  try {
    const addon = loaded();
    return {
      read: (bytes, request) => addon.readCsv(bytes, ...packedRequest(request)),
      readPart: ({ descriptor, start, size, partBytes, part }, request) =>
        addon.readCsvPart(
          Float64Array.of(descriptor, start, size, partBytes, part),
          ...packedRequest(request),
        ),
    };
  } catch (error) {
    if (isPolybinError(error) && error.code === "ERR_UNAVAILABLE") return null;
    throw error;
  }
}

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
    columns.map(({ index, stored, digits = 0, zone = false }) =>
      packed(CSV_COLUMN, { index, stored, digits, zone }),
    ),
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

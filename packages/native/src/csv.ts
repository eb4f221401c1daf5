import { failuresOf } from "@polybin/core/backend";
import { CSV, CSV_COLUMN, type CsvFound, packed } from "./border/index.ts";
import { loaded } from "./platform/index.ts";

export type { CsvFound, CsvValues } from "./border/index.ts";

/** Types of values that the reader stores: samples, bytes 0 and 1, days from 1970-01-01, or ticks from it. */
export type CsvStored =
  | ("u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "f32" | "f64" | "i64" | "u64")
  | ("boolean" | "date" | "time");

/** A column to read. */
export interface CsvColumn {
  /** Its place in a record. */
  readonly index: number;
  readonly stored: CsvStored;
  /** time: digits of a second's fraction that a tick holds, and whether texts end with Z. Default: 0, false. */
  readonly digits?: number;
  readonly zone?: boolean;
}

/** What is read from whole records whose newline is a line feed. */
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
  /** Threads that read pieces at the same time. 0: the calling thread reads. */
  readonly threads: number;
  /** The instructions that find the ends of fields. Default: the best of this processor. */
  readonly instructions?: "best" | "plain" | "avx2" | "avx512";
}

/**
 * Reads columns of CSV. The memory must not change meanwhile.
 * @returns null if the records are not regular: quotation marks within a field, or another number of fields
 */
export type ReadCsv = (bytes: Uint8Array, request: CsvRequest) => CsvFound | Promise<CsvFound>;

/** Returns the compiled reader of CSV, or null if there is no addon for this platform. */
export function csvReader(): ReadCsv | null {
  let addon: ReturnType<typeof loaded>;
  try {
    addon = loaded();
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_UNAVAILABLE") return null;
    throw error;
  }
  return (bytes, { separator, quote, width, columns, nulls, threads, instructions = "best" }) =>
    addon.readCsv(
      bytes,
      packed(CSV, {
        instructions,
        separator: separator.charCodeAt(0),
        quote: quote === null ? 0 : quote.charCodeAt(0),
        width,
        threads,
      }),
      columns.map(({ index, stored, digits = 0, zone = false }) =>
        packed(CSV_COLUMN, { index, stored, digits, zone }),
      ),
      nullsOf(nulls),
    );
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

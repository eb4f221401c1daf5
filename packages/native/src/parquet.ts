import { readerOf } from "./addon-readers.ts";
import { PAGE, PARQUET, type PagesFound, packed } from "./border/index.ts";

export type { PagesFound } from "./border/index.ts";

export type PageCodec = "none" | "snappy" | "zstd" | "gzip" | "brotli" | "lz4";
export type PageKind = "dictionary" | "v1" | "v2";
export type PageEncoding = "plain" | "coded" | "split" | "runs" | "deltas" | "lengths" | "prefixes";
/**
 * The form of the values in memory: their bytes, bytes 0 and 1, integers of 32 bits with another size, integers of bytes
 * with the highest first, times of 96 bits, or numbers of texts.
 */
export type Layout =
  | "bytes4"
  | "bytes8"
  | "boolean"
  | "i8"
  | "u8"
  | "i16"
  | "u16"
  | "widened"
  | "decimal"
  | "int96"
  | "text";

/** A page in the bytes of a column. */
export interface ParquetPage {
  readonly page: PageKind;
  readonly encoding: PageEncoding;
  readonly start: number;
  readonly end: number;
  /** Bytes after decompression, levels included. */
  readonly size: number;
  /** Values, nulls included. */
  readonly values: number;
  /** v2: bytes of levels before the values, and nulls. */
  readonly levels: number;
  readonly nulls: number;
  readonly compressed: boolean;
}

/** Pages to read. */
export interface PagesRequest {
  readonly codec: PageCodec;
  readonly layout: Layout;
  /** The rows, the values without nulls, or these with the counts of indices into the dictionary. */
  readonly taken: "rows" | "values" | "counts";
  /** Bytes of a value that is bytes. */
  readonly width: number;
  /** The level of a value. Lower ones are nulls, and 0 means that there are none. */
  readonly level: number;
  readonly dictionary: ParquetPage | null;
  readonly pages: readonly ParquetPage[];
  /** Rows of the pages before those that are taken, and the number of these. */
  readonly skip: number;
  readonly rows: number;
  /** Threads that read columns at the same time. 0: the calling thread reads. */
  readonly threads: number;
}

/** Memory for what is read. Nothing else may use it meanwhile. */
export interface PagesTo {
  /** Room for all values. With counts, the values of the dictionary have room too. */
  readonly values: Uint8Array;
  /** Room for one bit per row, 1 for a value. They are 0 before. */
  readonly bits: Uint8Array;
  /** Room for the counts of the dictionary's values, or for those of two booleans. They are 0 before. */
  readonly counts: Uint32Array;
}

/** Reads the pages of columns of Parquet files in compiled code. */
export interface ParquetReader {
  /**
   * Reads pages. Their memory must not change meanwhile.
   * @returns null if compiled code does not read one of them: it may be damaged, or this Node lacks its codec
   */
  read(bytes: Uint8Array, request: PagesRequest, to: PagesTo): PagesFound | Promise<PagesFound>;
}

/** Returns the compiled reader of Parquet's pages, or null if there is no addon for this platform. */
export const parquetReader = (): ParquetReader | null =>
  readerOf((addon) => ({
    read: (bytes, { dictionary, pages, ...numbers }, { values, bits, counts }) => {
      const all = dictionary === null ? pages : [dictionary, ...pages];
      const own = new Uint8Array(all.length * PAGE.bytes);
      for (const [i, page] of all.entries()) own.set(packed(PAGE, page), i * PAGE.bytes);
      const column = packed(PARQUET, { ...numbers, dictionary: dictionary !== null });
      return addon.readPages(bytes, column, own, values, bits, counts);
    },
  }));

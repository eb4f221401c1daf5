import type { SampleType } from "@polybin/core";
import type { SampleArray } from "@polybin/core/backend";

/** Units of a point or a span of time. */
export type TimeUnit = "s" | "ms" | "us" | "ns";

/**
 * The meaning of a column's values. Timestamps, dates, times and decimals are stored as integers, and their type states
 * the unit of these integers. Points in time count from 1970-01-01. A `refused` column cannot be read, and states why.
 */
export type LogicalType =
  | { readonly kind: "number"; readonly type: SampleType }
  | { readonly kind: "boolean" }
  | { readonly kind: "timestamp"; readonly unit: TimeUnit; readonly timezone: string | null }
  | { readonly kind: "date"; readonly unit: "day" | "ms" }
  | { readonly kind: "time"; readonly unit: TimeUnit }
  | { readonly kind: "decimal"; readonly scale: number; readonly precision: number }
  | { readonly kind: "string" }
  | { readonly kind: "refused"; readonly reason: string };

/** A column of a table. `nullable` is true if the column may have nulls. */
export interface ColumnInfo {
  readonly name: string;
  readonly type: LogicalType;
  readonly nullable: boolean;
}

/** A value of a column's statistics, in the column's stored form. Strings are strings. */
export type StatisticValue = number | bigint | string | boolean;

/** The statistics of a column that a file states for a part. `null` for what it does not state. */
export interface ColumnStatistics {
  readonly min: StatisticValue | null;
  readonly max: StatisticValue | null;
  readonly nulls: number | null;
  readonly distinct: number | null;
}

/**
 * A part of a table that can be read on its own: a row group, a record batch, a range of bytes or of rows. The same file
 * opened with the same options has the same parts, so that a part's index names it on any machine.
 */
export interface Part {
  readonly index: number;
  /** Number of rows, or null if only reading shows it. */
  readonly rows: number | null;
  /** Bytes of the part in the file, about. */
  readonly bytes: number;
  /** Returns the file's statistics of a column in this part, or null if the file has none. */
  statistics(column: string): ColumnStatistics | null;
}

/** A typed array of a column's values. Core counts all of them. */
export type ValueArray = SampleArray | BigInt64Array | BigUint64Array;

/** One bit per row from the lowest bit of each byte on. 1: a value. 0: a null. Core takes it as `mask`. */
export interface Validity {
  readonly bits: Uint8Array;
}

/** The words that all chunks share. */
interface ChunkBase {
  readonly name: string;
  readonly rows: number;
  readonly nulls: number;
  /** Null if the chunk has no nulls. */
  readonly validity: Validity | null;
}

/**
 * Values of one column in a batch. `values` holds numbers, integers of time and decimals, and booleans as bytes 0 and 1.
 * The value of a null row is arbitrary.
 */
export interface ValuesChunk extends ChunkBase {
  readonly values: ValueArray;
}

/** Strings by dictionary: row i is `dictionary[codes[i]]`. The code of a null row is 0. */
export interface CodesChunk extends ChunkBase {
  readonly codes: Uint32Array;
  readonly dictionary: readonly string[];
}

/** Strings, with null for nulls. */
export interface StringsChunk extends ChunkBase {
  readonly strings: readonly (string | null)[];
}

export type Chunk = ValuesChunk | CodesChunk | StringsChunk;

/** Some rows of the requested columns, in the order in which they were requested. */
export interface Batch {
  readonly rows: number;
  /** Index of the part that holds these rows, or null for a table without parts. */
  readonly part: number | null;
  readonly columns: readonly Chunk[];
}

/**
 * The values of one column in a batch without their rows, for callers that only count. No null is among them. The first
 * values have counts: values[i] occurs counts[i] times, at least once. The values after counts.length occur once each. Equal
 * values may be listed more than once. Strings all have counts.
 */
export interface CountsChunk {
  readonly name: string;
  readonly rows: number;
  readonly nulls: number;
  readonly values: ValueArray | readonly string[];
  readonly counts: Uint32Array;
}

/** Some rows of the requested columns, in the order in which they were requested. */
export interface CountsBatch {
  readonly rows: number;
  /** Index of the part that holds these rows, or null for a table without parts. */
  readonly part: number | null;
  readonly columns: readonly (Chunk | CountsChunk)[];
}

/** How far a table has been read. Totals are null if they are unknown. */
export interface ReadProgress {
  readonly rows: number;
  readonly totalRows: number | null;
  readonly bytes: number;
  readonly totalBytes: number | null;
}

/** Options of `Table.read`. */
export interface ReadOptions {
  /** Names of the columns to read. Default: all that are not refused. */
  readonly columns?: readonly string[] | undefined;
  /** Indices of the parts to read, ascending. Default: all. */
  readonly parts?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** Options of `Table.readCounts`. */
export interface ReadCountsOptions extends ReadOptions {
  /** Names of the columns that come with their rows, as from `read`. Default: none. */
  readonly rows?: readonly string[] | undefined;
}

/** Rows that were left out. A row counts once, however often it is read. */
export interface BadRows {
  readonly rows: number;
  /** The error in the first one, with its line. */
  readonly first: string;
}

/** An open table. */
export interface Table extends AsyncDisposable {
  /** Name of the format, such as "csv". */
  readonly format: string;
  /** Name of the place it was opened from. */
  readonly name: string;
  /** Number of rows, or null if only reading shows it. */
  readonly rows: number | null;
  readonly columns: readonly ColumnInfo[];
  /** Null if the table can only be read from its start to its end. */
  readonly parts: readonly Part[] | null;
  /** The options that were guessed from the first rows and are no defaults, as `openTable` takes them. */
  readonly guessed?: Readonly<Record<string, unknown>>;
  /** The rows that were left out by reads so far, since they do not fit (`badRows: "skip"`). Null for none. */
  readonly badRows?: BadRows | null;
  /** Whether `read` works more than once. Default: whether the table has parts. */
  readonly rereadable?: boolean;
  /**
   * Reads batches in the order of the file. Memory stays bounded, whatever the size of the file.
   * @throws ERR_INPUT if a column or part does not exist, or the file is damaged.
   */
  read(options?: ReadOptions): AsyncIterable<Batch>;
  /**
   * Reads batches of values without their rows. This takes less work than `read` if the file stores different values and
   * indices, as Parquet does, or if compiled code counts equal values. A column that gains nothing comes with its rows, and
   * a table that gains nothing lacks it.
   * @throws ERR_INPUT if a column or part does not exist, or the file is damaged.
   */
  readCounts?(options?: ReadCountsOptions): AsyncIterable<CountsBatch>;
  close(): Promise<void>;
}

import type { Chunk, CountsBatch, CountsChunk, ReadOptions, Table } from "@polybin/columns";
import { type Engine, type Histogram, type JointHistogram, type Mask, PolybinError } from "@polybin/core";
import type { Payload } from "../payload.ts";

/** Some rows of the columns of a task. */
export interface Rows<C extends Chunk | CountsChunk = Chunk> {
  readonly rows: number;
  /** Index of the file in the task. */
  readonly file: number;
  /** In the order of the task. A profile leaves out those that the file does not have. */
  readonly columns: readonly C[];
  /** The column of the groups. */
  readonly by: Chunk | null;
}

/** Adds up the rows of one shard. */
export interface ShardCounter {
  /** Adds what `read` returns. */
  add(rows: Rows<Chunk | CountsChunk>): Promise<void>;
  /** Reads the table of a file as the counter needs it. Default, and undefined: with all rows. */
  read?(table: Table, options: ReadOptions, file: number): AsyncIterable<CountsBatch> | undefined;
  /** Returns everything that was added. */
  take(): Payload | Promise<Payload>;
  /** Frees what the counter holds on the engine. */
  close?(): Promise<void>;
}

/** How a counter calls the engine. */
export interface Counting {
  readonly engine: Engine;
  /** The algorithm and its parameters. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Whether the engine counts every row. Otherwise, a value that a file lists with a count is counted once. */
  readonly everyRow: boolean;
  readonly signal: AbortSignal | undefined;
  /** Called with each result of the engine. */
  readonly onCounted: ((found: Counted) => void) | undefined;
}

/** How the engine counted some rows. */
export type Counted = Pick<
  Histogram | JointHistogram,
  "backend" | "device" | "algorithm" | "plan" | "timings"
>;

/** The values of a chunk. @throws ERR_INPUT for strings */
export function valuesOf(chunk: Chunk): ValueArray {
  if ("values" in chunk) return chunk.values;
  throw new PolybinError(
    "ERR_INPUT",
    `expected numbers in column ${JSON.stringify(chunk.name)} but it has strings`,
  );
}

type ValueArray = Extract<Chunk, { readonly values: unknown }>["values"];

/** The mask that leaves out nulls. Core expects exactly one bit per row. */
export function maskOf({ validity, rows }: Chunk): Mask | undefined {
  return validity === null ? undefined : { bits: validity.bits.subarray(0, Math.ceil(rows / 8)) };
}

/** Whether a row has a value. */
export function isValid({ validity }: Chunk, row: number): boolean {
  return validity === null || ((validity.bits[row >> 3]! >> (row & 7)) & 1) === 1;
}

import type { Algorithm, CellsJob, CellsPlan } from "@polybin/core/backend";
import type { Setup } from "./rows/setup.ts";

/** How workers count the cells of several columns. */
export interface JointKernel {
  readonly algorithm: Algorithm;
  /** Computes everything that can be known beforehand for a job. */
  prepare(job: CellsJob): { readonly work: CellWork; readonly lookups: readonly Lookup[] };
  /** Adds each column's part to the cells of a block, and counts them. @returns the number of masked samples */
  count(wasm: WebAssembly.Exports, work: CellWork, block: CellBlock): number;
}

/** The thresholds or rows of a column, and the starts of its cells. */
export type Lookup = Pick<Setup, "lowering" | "starts">;

/** How a column finds its rows, apart from its lookup. */
export type ColumnSetup = Omit<Setup, keyof Lookup | "id" | "count">;

/** Describes a job to a worker, without its lookups. */
export interface CellWork {
  readonly algorithm: string;
  readonly columns: readonly CellColumn[];
  /** As the worker reads it: a list of indices turns bits into bytes. */
  readonly mask: CellsPlan["mask"];
  /** Whether a cell takes 16 bits of a block. */
  readonly isNarrow: boolean;
  /** Number of cells of a table, in the kernel's own order. */
  readonly cells: number;
  /** Tables per worker. */
  readonly tables: number;
  /** Whether all workers count in one table. */
  readonly isShared: boolean;
}

/** One column of a job. */
export interface CellColumn {
  readonly bytes: number;
  readonly interleaved: number;
  readonly channel: number;
  /** How the column finds its rows. Null: rows are bytes, which are shifted to the right. */
  readonly setup: ColumnSetup | null;
  readonly shift: number;
  /** Number of rows. */
  readonly rows: number;
  /** Cells from one row to the next. */
  readonly stride: number;
}

/** The addresses of a block of samples, and of the tables that count them. */
export interface CellBlock {
  /** Where each column's input begins. */
  readonly inputs: readonly number[];
  /** Where each column's thresholds and starts begin. */
  readonly lookups: readonly number[];
  /** The first byte or bit of the mask. */
  readonly mask: number;
  /** Room for the samples of one column, for a byte per sample of the mask, and for the cells. */
  readonly gathered: number;
  readonly spread: number;
  readonly cells: number;
  readonly table: number;
  /** Bytes from one of the tables to the next. */
  readonly apart: number;
  readonly samples: number;
}

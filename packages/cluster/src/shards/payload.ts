import type { Cells } from "./cells.ts";

/**
 * The counts of one column, or of two together. A row is a group. Without groups, there is one row, whose group is null.
 *
 *   hist         bins, underflow, overflow, NaN, nulls       cells 0 to bins + 3
 *   hist         of strings: one cell per entry of `strings`, and then nulls
 *   joint        the cells of both columns, row-major, and then the rows in which one of both is null
 */
export interface Counts {
  /** The different strings of a column of strings, ascending by their code units. Null for all other columns. */
  readonly strings: readonly string[] | null;
  /** Ascending by group. Null, which is the group of rows without one, is the last. */
  readonly rows: readonly Row[];
}

/** The counts of a group. */
export interface Row {
  readonly group: string | null;
  readonly cells: Cells;
}

/** The finite values of a column. Without any, `min` is Infinity and `max` -Infinity. 64-bit integers are rounded outwards. */
export interface ColumnExtent {
  readonly min: number;
  readonly max: number;
}

/** The numbers of a partial result. */
export type Payload =
  | { readonly count: "hist" | "joint"; readonly rows: number; readonly columns: readonly Counts[] }
  | { readonly count: "extent"; readonly rows: number; readonly extents: readonly ColumnExtent[] }
  | ProfilePayload;

/** A partial profile. */
export interface ProfilePayload {
  readonly count: "profile";
  readonly rows: number;
  /** The rows of each file of the task in which there are any: ascending by the file. */
  readonly files: readonly FileRows[];
  /** The bytes of a `ProfilePartial`. */
  readonly bytes: Uint8Array;
}

/** A file's index in its task, and a number of its rows. */
export type FileRows = readonly [file: number, rows: number];

/** Orders groups, and null after all others. */
export function compareGroups(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}

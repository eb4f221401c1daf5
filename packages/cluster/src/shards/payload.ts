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

/**
 * The finite values of a column. Without any, `min` is Infinity and `max` -Infinity. 64-bit integers, which a double may not
 * hold, are bigints.
 */
export interface ColumnExtent {
  readonly min: number | bigint;
  readonly max: number | bigint;
}

/** The extent of a column without finite values. */
export const NO_EXTENT: ColumnExtent = { min: Infinity, max: -Infinity };

/** Returns the extent of two extents together. */
export function joinedExtent(a: ColumnExtent, b: ColumnExtent): ColumnExtent {
  return { min: least(a.min, b.min), max: most(a.max, b.max) };
}

// Math knows that -0 is below 0, so the order of floats does not matter.
const least = (a: number | bigint, b: number | bigint): number | bigint =>
  typeof a === "number" && typeof b === "number" ? Math.min(a, b) : b < a ? b : a;
const most = (a: number | bigint, b: number | bigint): number | bigint =>
  typeof a === "number" && typeof b === "number" ? Math.max(a, b) : b > a ? b : a;

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

import type { Grid } from "./grid.ts";
import type { Rows, Storage } from "./storage/storage.ts";
import type { CarriedByAxes } from "./uhi/schema.ts";

/** Counts or sums outside the bins. */
export interface Flow {
  /** Below the first edge. */
  readonly underflow: number;
  /** Above the last edge. */
  readonly overflow: number;
  /** NaN samples. */
  readonly nan: number;
}

/** A result without its methods: numbers over the cells of axes. */
export interface Cells extends Grid {
  /** The meaning of the rows. */
  readonly storage: Storage;
  /** The numbers of all cells, flow included, in the order of the storage's rows. */
  readonly rows: Rows;
  /** Number of samples that a mask left out. */
  readonly masked: number;
  /** Content of its file other than the axes and the numbers. Null: it was not read from a file. */
  readonly carried: CarriedByAxes | null;
}

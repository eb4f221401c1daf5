import { FLOW_ROWS } from "../../base/index.ts";
import type { SampleArray } from "../../input/index.ts";
import { NAN, OVERFLOW, UNDERFLOW } from "../../lowering/index.ts";

/** Counts samples of one type over one axis into the rows of a table. */
export interface Loop {
  readonly rows: number;
  readonly bins: number;
  /** Row of the first bin. */
  readonly firstBin: number;
  /** Rows of underflow, overflow and NaN. */
  readonly flow: readonly [number, number, number];
  /** Counts every `stride`-th sample, starting at `first`. */
  add(table: Int32Array, run: SampleArray, first: number, stride: number): void;
}

/** A table of codes: the bins, underflow, overflow, NaN. */
export function tableOfCodes(bins: number): Omit<Loop, "add"> {
  return {
    rows: bins + FLOW_ROWS,
    bins,
    firstBin: 0,
    flow: [bins + UNDERFLOW, bins + OVERFLOW, bins + NAN],
  };
}

import { type CellsJob, NAN, OVERFLOW, UNDERFLOW } from "@polybin/core/backend";
import type { CellWork } from "../../kernels/index.ts";

/** Puts the counts of a kernel's cells in the order of the plan's. */
export type Placing = (totals: Float64Array) => Float64Array;

/**
 * Returns how cells come into the plan's order. A kernel's rows are NaN, underflow, the bins and overflow. The plan's
 * codes have the bins first, and no place for a row that no sample of the type can have.
 */
export function placing({ columns, plan }: CellsJob, work: CellWork): Placing {
  if (work.columns.every(({ setup }) => setup === null)) return (totals) => totals;
  const steps = work.columns.map(({ setup, rows, stride }, k) => {
    const { extent, stride: step } = plan.columns[k]!;
    const { bins } = columns[k]!.lowering;
    const from = new Int32Array(extent).fill(-1);
    for (let row = 0; row < rows; row++) {
      const place = setup === null ? row : codeOf(row, bins);
      if (place < extent) from[place] = row * stride;
    }
    return { from, step };
  });
  const { from: inner } = steps.at(-1)!;
  return (totals) => {
    const out = new Float64Array(plan.cells);
    const place = (k: number, first: number, to: number): void => {
      const { from, step } = steps[k]!;
      if (k === steps.length - 1) copyRow(totals, first, inner, out, to);
      else for (const [i, at] of from.entries()) if (at >= 0) place(k + 1, first + at, to + i * step);
    };
    place(0, 0, 0);
    return out;
  };
}

function copyRow(totals: Float64Array, first: number, from: Int32Array, out: Float64Array, to: number): void {
  for (let place = 0; place < from.length; place++) {
    const at = from[place]!;
    if (at >= 0) out[to + place] = totals[first + at]!;
  }
}

/** Returns the code of a row. */
function codeOf(row: number, bins: number): number {
  if (row === 0) return bins + NAN;
  if (row === 1) return bins + UNDERFLOW;
  return row === bins + 2 ? bins + OVERFLOW : row - 2;
}

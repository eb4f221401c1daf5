import { type JointJob, NAN, OVERFLOW, UNDERFLOW } from "@polybin/core/backend";
import type { CellWork } from "../kernels/index.ts";

/**
 * Returns cells in the plan's order. A kernel's rows are NaN, underflow, the bins and overflow; the plan's codes have
 * the bins first, and no place for a row that no sample of the type can have.
 */
export function placed(totals: Float64Array, { columns, plan }: JointJob, work: CellWork): Float64Array {
  if (work.columns.every(({ setup }) => setup === null)) return totals;
  const out = new Float64Array(plan.cells);
  const starts = work.columns.map(({ setup, rows, stride }, k) => {
    const { extent, stride: step } = plan.columns[k]!;
    const { bins } = columns[k]!.lowering;
    const all = Array.from({ length: rows }, (_, row) => (setup === null ? row : codeOf(row, bins)));
    return all.flatMap((place, row) => (place < extent ? [[row * stride, place * step] as const] : []));
  });
  const inner = Int32Array.from(starts.at(-1)!.flat());
  const spread = (k: number, from: number, to: number): void => {
    if (k < starts.length - 1) for (const [row, place] of starts[k]!) spread(k + 1, from + row, to + place);
    else for (let i = 0; i < inner.length; i += 2) out[to + inner[i + 1]!] = totals[from + inner[i]!]!;
  };
  spread(0, 0, 0);
  return out;
}

/** Returns the code of a row. */
function codeOf(row: number, bins: number): number {
  if (row === 0) return bins + NAN;
  if (row === 1) return bins + UNDERFLOW;
  return row === bins + 2 ? bins + OVERFLOW : row - 2;
}

import { PolybinError } from "../base/index.ts";
import type { WeightedPlan } from "../plan/index.ts";
import type { BinSums } from "../weights/index.ts";
import type { FeatureSums } from "./counted.ts";

/** All documents of a call together: what every feature's bins must add up to. */
export interface Totals {
  readonly documents: number;
  readonly sum: number;
  readonly square: number;
}

/**
 * Fills in the value that was skipped, the totals less the others, and looks whether every document is there.
 * @throws ERR_MISCOUNT when documents or weights were lost or added twice; no result is better than a wrong one.
 */
export function mergeFeature(
  found: FeatureSums,
  plan: WeightedPlan,
  skip: number | null,
  totals: Totals,
): BinSums {
  const { sums } = found;
  const [counts, squares] = [plan.counts ? found.counts : null, plan.squares ? found.squares : null];
  const asked = [sums, ...(plan.counts ? [counts] : []), ...(plan.squares ? [squares] : [])];
  const lengths = asked.map((array) => array?.length);
  if (lengths.some((length) => length !== plan.bins)) {
    throw lost(plan, `${plan.bins} bins`, `${lengths.join(", ")}`);
  }
  if (skip !== null) {
    fill(sums, skip, totals.sum);
    if (counts !== null) fill(counts, skip, totals.documents);
    if (squares !== null) fill(squares, skip, totals.square);
  }
  if (counts !== null) checkCounts(plan, counts, totals.documents);
  checkSum(plan, sums, totals.sum);
  if (squares !== null) checkSum(plan, squares, totals.square);
  return { counts, sums, squares };
}

function fill(of: Float64Array, bin: number, total: number): void {
  of[bin] = 0;
  of[bin] = total - sumOf(of);
}

function checkCounts(plan: WeightedPlan, counts: Float64Array, documents: number): void {
  // A negative count must not make up for another one.
  let seen = 0;
  for (let bin = 0; bin < counts.length; bin++) seen += counts[bin]! < 0 ? Number.NaN : counts[bin]!;
  if (seen !== documents) throw lost(plan, `${documents} documents`, `${seen}`);
}

function checkSum(plan: WeightedPlan, sums: Float64Array, total: number): void {
  const seen = sumOf(sums);
  // Integers are exact in any order; of floats only what is no number is known to be wrong.
  const isWrong = plan.precision === "reproducible" ? seen !== total : !Number.isFinite(seen);
  if (isWrong) throw lost(plan, `weights of ${total} units`, `${seen}`);
}

/** Plain loops: a call may have a million bins. */
function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
}

function lost({ algorithm }: WeightedPlan, expected: string, received: string): PolybinError {
  return new PolybinError(
    "ERR_MISCOUNT",
    `expected ${expected} but the device returned ${received}; the result was thrown away`,
    { algorithm },
  );
}

import { PolybinError } from "../base/index.ts";
import type { SumsPlan } from "../plan/index.ts";
import type { BinSums } from "../weights/index.ts";
import type { FeatureSums } from "./counted.ts";

/** Totals over all documents of a call, which the bins of every feature must add up to. */
export interface Totals {
  readonly documents: number;
  readonly sum: number;
  readonly square: number;
}

/**
 * Fills in the skipped value as the total minus the others, and checks that every document was added.
 * @throws ERR_MISCOUNT if documents or weights were lost or added twice. No result is better than a wrong one.
 */
export function mergeFeature(
  found: FeatureSums,
  plan: SumsPlan,
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

function checkCounts(plan: SumsPlan, counts: Float64Array, documents: number): void {
  // NaN prevents a negative count from cancelling another error.
  let seen = 0;
  for (let bin = 0; bin < counts.length; bin++) seen += counts[bin]! < 0 ? Number.NaN : counts[bin]!;
  if (seen !== documents) throw lost(plan, `${documents} documents`, `${seen}`);
}

function checkSum(plan: SumsPlan, sums: Float64Array, total: number): void {
  const seen = sumOf(sums);
  // Integer sums are exact in any order. Float sums are known to be wrong only if they are not finite.
  const isWrong = plan.precision === "reproducible" ? seen !== total : !Number.isFinite(seen);
  if (isWrong) throw lost(plan, `weights of ${total} units`, `${seen}`);
}

/** Adds in a plain loop, because a call may have a million bins. */
function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
}

function lost({ algorithm }: SumsPlan, expected: string, received: string): PolybinError {
  return new PolybinError(
    "ERR_MISCOUNT",
    `expected ${expected} but the device returned ${received}; the result was discarded`,
    { algorithm },
  );
}

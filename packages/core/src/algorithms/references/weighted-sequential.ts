import type { SumsPlan, WeightedInput } from "../../plan/index.ts";
import type { BinSums } from "../../weights/index.ts";
import { noSums } from "../../weights/index.ts";

/** A number that is not a value. */
const NONE = -1;

/** Simulates `weighted-sequential`, step by step. */
export function reference(
  { values, weights, squares, bins, skip }: WeightedInput,
  { counts }: SumsPlan,
): BinSums {
  const totals = noSums(bins, { counts, squares: squares !== null });
  // Using a single array type keeps the loop fast. Converting a document takes less time than adding it.
  const wide = values instanceof Uint16Array ? values : new Uint16Array(values);
  addUp(wide, doubles(weights), skip ?? NONE, totals.sums, totals.counts);
  if (squares !== null) addUp(wide, doubles(squares), skip ?? NONE, totals.squares!, null);
  return totals;
}

function doubles(of: WeightedInput["weights"]): Float64Array {
  return of instanceof Float64Array ? of : new Float64Array(of);
}

/**
 * Adds weights in doubles, which hold every sum of integer weights exactly and are far more precise than the
 * tolerance for floats.
 */
function addUp(
  values: Uint16Array,
  weights: Float64Array,
  skip: number,
  sums: Float64Array,
  counts: Float64Array | null,
): void {
  const counted = new Uint32Array(sums.length);
  for (let i = 0; i < values.length; i++) {
    const bin = values[i]!;
    if (bin === skip) continue;
    counted[bin] = counted[bin]! + 1;
    sums[bin] = sums[bin]! + weights[i]!;
  }
  counts?.set(counted);
}

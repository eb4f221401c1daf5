import type { WeightedAlgorithm, WeightedInput } from "../plan/index.ts";
import { noSums } from "../weights/index.ts";

/** Adds into one table, one document after the other. Every other weighted algorithm must return the same sums. */
export const algorithm: WeightedAlgorithm = {
  slug: "weighted-sequential",
  title: "one table, one document at a time",
  source: "Xu et al., Algorithm 1: Serial Histogram Calculation",
  parameters: {},
  plain: true,
  preference: (_, kind) => (kind === "cpu" ? 1 : null),
  launch: ({ bins }, { kind }) =>
    kind === "cpu"
      ? {
          threads: 1,
          replicas: 1,
          featuresPerBlock: 1,
          counterBits: 32,
          sumBits: 64,
          binsPerPass: bins,
          sharedBytes: 0,
          flushDocuments: null,
        }
      : "weighted-sequential runs on one CPU thread, as core's oracle",
  reference({ values, weights, squares, bins, skip }: WeightedInput, { counts }) {
    const totals = noSums(bins, { counts, squares: squares !== null });
    // Using a single array type keeps the loop fast. Converting a document takes less time than adding it.
    const wide = values instanceof Uint16Array ? values : new Uint16Array(values);
    addUp(wide, doubles(weights), skip ?? NONE, totals.sums, totals.counts);
    if (squares !== null) addUp(wide, doubles(squares), skip ?? NONE, totals.squares!, null);
    return totals;
  },
};

/** A number that is not a value. */
const NONE = -1;

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

import type { SumsPlan } from "../plan/index.ts";
import {
  type BinSums,
  type ErrorBound,
  errorBoundOf,
  quantumOf,
  type ScaledWeights,
  type TableWeights,
  unscaled,
} from "../weights/index.ts";
import type { Timings } from "./provenance.ts";

/**
 * Weighted sums over a table. Each list has one array per requested feature, with one number per bin of the feature.
 */
export interface TableSums {
  /** The requested features, in the order of the lists. */
  readonly features: readonly number[];
  /** Number of documents that were added up. */
  readonly documents: number;
  /** counts[i][bin]: number of documents, exact. */
  readonly counts: readonly Float64Array[];
  /** sums[i][bin]: sum of their weights. */
  readonly sums: readonly Float64Array[];
  /** Sums of the squares of their weights; null if they were not requested. */
  readonly sumsOfSquares: readonly Float64Array[] | null;
  /** Number of limbs that each weight was rounded to; null for the precision "fast". */
  readonly limbs: 1 | 2 | null;
  /**
   * The power of two that every sum is a multiple of. Each weight was rounded to the nearest multiple, so a sum of n
   * documents has an error of at most n * quantum / 2. Null for the precision "fast".
   */
  readonly quantum: number | null;
  /** The quantum of the sums of squares; also null if there are none. */
  readonly quantumOfSquares: number | null;
  /**
   * maxError[i][bin]: the largest possible distance of the sum from the exact sum of the given weights; 0 if rounding
   * moved no weight. It is computed from `counts` on first access. Null for the precision "fast", whose tolerance is
   * in docs/internals/weighted-sums.md.
   */
  readonly maxError: readonly Float64Array[] | null;
  /** The largest error of the sums of squares; also null if there are none. */
  readonly maxErrorOfSquares: readonly Float64Array[] | null;
  /**
   * The plan of each feature. Features with the same number of bins share a plan. If the table already knew a
   * feature's counts, its plan has no counts.
   */
  readonly plans: readonly SumsPlan[];
  /** The backend's id. */
  readonly backend: string;
  /** The device's name. */
  readonly device: string;
  /** Timings of the call. */
  readonly timings: Timings;
}

/** Weighted sums without counts, if they were not requested. */
export interface TableSumsOnly extends Omit<TableSums, "counts"> {
  readonly counts: null;
}

/** Sums of one feature, with those of the weights' second limb if there is one. */
export interface FoundFeature {
  readonly sums: BinSums;
  readonly low: BinSums | null;
  readonly plan: SumsPlan;
}

/** The weights that were added up, and their scales. */
export interface Summed {
  readonly weights: TableWeights;
  readonly first: ScaledWeights;
  readonly second: ScaledWeights | null;
}

/** Creates the result of a call. */
export function tableSumsOf(
  found: readonly FoundFeature[],
  { weights, first, second }: Summed,
  counts: boolean,
  rest: Pick<TableSums, "features" | "backend" | "device" | "timings">,
): TableSums | TableSumsOnly {
  const isFloat = weights.precision === "fast";
  const result = {
    ...rest,
    documents: weights.part.length,
    counts: counts ? found.map(({ sums }) => sums.counts!) : null,
    sums: found.map(({ sums, low }) => unscaled(sums.sums, low?.sums ?? null, first)),
    sumsOfSquares:
      second && found.map(({ sums, low }) => unscaled(sums.squares!, low?.squares ?? null, second)),
    limbs: isFloat ? null : weights.limbs,
    quantum: isFloat ? null : quantumOf(first),
    quantumOfSquares: isFloat ? null : second && quantumOf(second),
    plans: found.map(({ plan }) => plan),
  };
  const bins = found.map(({ sums }) => sums);
  return withErrors(
    result,
    isFloat ? null : lazyErrors(bins, errorBoundOf(weights, first, 1)),
    isFloat ? null : second && lazyErrors(bins, errorBoundOf(weights, second, 2)),
  ) as TableSums | TableSumsOnly;
}

/** Adds the errors as lazy properties, because not every call needs them and they are as large as the sums. */
function withErrors<T extends object>(
  result: T,
  maxError: (() => Float64Array[]) | null,
  maxErrorOfSquares: (() => Float64Array[]) | null,
) {
  return {
    ...result,
    get maxError() {
      return maxError?.() ?? null;
    },
    get maxErrorOfSquares() {
      return maxErrorOfSquares?.() ?? null;
    },
  };
}

/**
 * A bin's error is at most the sum of its documents' errors, if they were counted, and at most the error of all
 * documents.
 */
function lazyErrors(found: readonly BinSums[], { each, all }: ErrorBound): () => Float64Array[] {
  let made: Float64Array[] | null = null;
  return () => {
    made ??= found.map(({ sums, counts }) =>
      counts === null
        ? new Float64Array(sums.length).fill(all)
        : counts.map((count) => Math.min(count * each, all)),
    );
    return made;
  };
}

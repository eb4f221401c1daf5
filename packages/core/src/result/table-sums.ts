import type { WeightedPlan } from "../plan/index.ts";
import {
  type BinSums,
  type ErrorBound,
  errorBoundOf,
  quantumOf,
  type ScaledWeights,
  type TableWeights,
  unscaled,
} from "../weights/index.ts";
import type { Timings } from "./binned.ts";

/** What was added up of a table: for each feature that was asked for one array, as long as the feature has bins. */
export interface TableSums {
  readonly features: readonly number[];
  /** Documents that were added up. */
  readonly documents: number;
  /** counts[i][bin]: documents, exact. */
  readonly counts: readonly Float64Array[];
  /** sums[i][bin]: of their weights. */
  readonly sums: readonly Float64Array[];
  /** Sums of the squares of their weights; null where they were not asked for. */
  readonly sumsOfSquares: readonly Float64Array[] | null;
  /** Limbs that each weight was rounded to; null of the precision "fast". */
  readonly limbs: 1 | 2 | null;
  /**
   * What every sum is a whole multiple of, a power of two; each weight was rounded to the nearest one, so a sum of n
   * documents is off by n halves of it at the most. Null of the precision "fast".
   */
  readonly quantum: number | null;
  /** The same of the sums of squares; null where there are none, too. */
  readonly quantumOfSquares: number | null;
  /**
   * maxError[i][bin]: the sum is at most so far from the exact sum of the weights given; 0 where no weight was moved.
   * Made from `counts` when it is first read. Null of the precision "fast": docs/weighted.md has its tolerance.
   */
  readonly maxError: readonly Float64Array[] | null;
  /** The same of the sums of squares; null where there are none, too. */
  readonly maxErrorOfSquares: readonly Float64Array[] | null;
  /**
   * How each feature was added up; those of as many bins share a plan. Of one whose counts the table knew, the plan has
   * no counts.
   */
  readonly plans: readonly WeightedPlan[];
  readonly backend: string;
  readonly device: string;
  readonly timings: Timings;
}

/** The same without counts, where they were not asked for. */
export interface TableSumsOnly extends Omit<TableSums, "counts"> {
  readonly counts: null;
}

/** What was found of a feature: of its weights' second limb, too, where they have one. */
export interface FoundFeature {
  readonly sums: BinSums;
  readonly low: BinSums | null;
  readonly plan: WeightedPlan;
}

/** The weights that were added up, and how they were scaled. */
export interface Summed {
  readonly weights: TableWeights;
  readonly first: ScaledWeights;
  readonly second: ScaledWeights | null;
}

/** The result of a call. */
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

/** Errors are as many numbers as the sums, which not every call needs: made when they are read. */
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

/** No bin is further off than its documents are one by one, where they were counted, nor than all are together. */
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

import type { SumsWeights } from "../../backend/index.ts";
import { PolybinError } from "../../base/index.ts";
import type { SumsPlan, WeightedRequest } from "../../plan/index.ts";
import type { DeviceTimings, FeatureSums, Totals } from "../../result/index.ts";
import type { BinSums } from "../../weights/index.ts";
import { noSums } from "../../weights/index.ts";
import type { SumsOptions } from "../options/weighting-options.ts";

export interface Grouped {
  readonly features: readonly number[];
  readonly plan: SumsPlan;
}

/** The state of one call of `table.sums`. */
export interface TableCall {
  readonly request: Omit<WeightedRequest, "bins" | "features" | "counts">;
  readonly weights: SumsWeights;
  readonly totals: Totals;
  readonly counts: boolean;
  /** The features whose documents the device counts. */
  readonly counted: ReadonlySet<number>;
  readonly skip: boolean;
  readonly talk: Pick<SumsOptions, "signal" | "onProgress">;
  /**
   * Numbers of values (documents times features) in one limb, in the limbs before it, and in all limbs. `done` counts
   * up to `total`.
   */
  readonly values: { readonly of: number; readonly before: number; readonly total: number };
  done: number;
  readonly found: Map<number, { readonly sums: BinSums; readonly plan: SumsPlan }>;
  readonly timings: { -readonly [name in keyof DeviceTimings]: number };
}

export function nothingOf(plan: SumsPlan): FeatureSums {
  return { ...noSums(plan.bins, plan), ms: null };
}

export function indexOfLargest(counts: Float64Array): number {
  return counts.reduce((best, count, bin) => (count > counts[best]! ? bin : best), 0);
}

export function timeOf(ms: number | null, { algorithm }: SumsPlan): number {
  if (ms !== null) return ms;
  throw new PolybinError("ERR_INTERNAL", "expected the time of each feature but the device reported none", {
    algorithm,
  });
}

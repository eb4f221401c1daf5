import type { SampleType } from "../input/index.ts";
import type { LookupSize, Lowering } from "../lowering/index.ts";
import type { GivenParameters } from "./parameters.ts";

/** One column of samples and the axis that it is counted over, as far as a plan depends on them. */
export interface PlanColumn {
  readonly type: SampleType;
  /** How its samples find their codes. */
  readonly lowering: Pick<Lowering, "kind" | "bins" | "flow">;
  /** Room that the lowering's lookup takes on a GPU; null or absent: it has none. */
  readonly lookup?: LookupSize | null | undefined;
}

/** Segments, as far as a plan depends on them. */
export interface SegmentShape {
  readonly count: number;
  /** Samples of the longest. */
  readonly longest: number;
}

/** What is to be counted, as far as a plan depends on it. */
export interface PlanRequest {
  readonly algorithm: string;
  /** The algorithm's own; those that are not given have their defaults. */
  readonly parameters?: GivenParameters | undefined;
  /** One: a histogram. Several: a joint one, with an axis for each. */
  readonly columns: readonly PlanColumn[];
  /** Samples of one channel of a column. */
  readonly samples: number;
  /** Interleaved channels of the only column that are counted side by side, each by itself. */
  readonly channels: number;
  /** Are some samples left out? Default no. */
  readonly mask?: boolean | undefined;
  /** A histogram for each value of another column. Default none. */
  readonly groups?: PlanColumn | null | undefined;
  /** Weights that are added up beside the counts. Default none. */
  readonly weights?: "f32" | "f64" | null | undefined;
  /** A histogram for each of so many segments. Default one of all samples. */
  readonly segments?: SegmentShape | null | undefined;
}

/** The sentence on what of a request has no kernel on any device yet; null where all has. */
export function withoutKernel(request: Omit<PlanRequest, "algorithm">): string | null {
  const { columns, mask, groups, weights } = request;
  if (columns.length > 1) {
    return `joint histograms have no kernel yet, and ${columns.length} columns were asked for: count each by itself`;
  }
  if (mask) return "masks have no kernel yet: leave the samples out before they are counted";
  if (groups) return "groups have no kernel yet: count the samples of each group by themselves";
  if (weights) {
    return "weights of plain samples have no plan of their own: histogram({ weights }) adds them up by a table's kernels";
  }
  return null;
}

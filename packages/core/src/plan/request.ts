import type { SampleType } from "../input/index.ts";
import type { LookupSize, Lowering } from "../lowering/index.ts";
import type { GivenParameters } from "./parameters.ts";

/** The properties of a column and its axis that a plan depends on. */
export interface PlanColumn {
  readonly type: SampleType;
  /** How the samples of the column find their codes. `table`: the codes of 8- or 16-bit samples by their bits. */
  readonly lowering: Pick<Lowering, "kind" | "bins" | "flow"> & { readonly table?: Uint32Array };
  /** Memory that the lowering's lookup takes on a GPU; null or absent: it has none. */
  readonly lookup?: LookupSize | null | undefined;
}

/** The properties of segments that a plan depends on. */
export interface SegmentShape {
  readonly count: number;
  /** Samples of the longest segment. */
  readonly longest: number;
}

/** The properties of a count that a plan depends on. */
export interface PlanRequest {
  readonly algorithm: string;
  /** The algorithm's parameters. Missing ones have their defaults. */
  readonly parameters?: GivenParameters | undefined;
  /** One column for a histogram; several for a joint histogram with one axis each. */
  readonly columns: readonly PlanColumn[];
  /** Samples per channel of a column. */
  readonly samples: number;
  /** Interleaved channels of the only column that are counted in parallel, each separately. */
  readonly channels: number;
  /** Whether some samples are left out. Default: false. */
  readonly mask?: boolean | undefined;
  /** The column whose values form groups, with one histogram each. Default: none. */
  readonly groups?: PlanColumn | null | undefined;
  /** Type of the weights that are added up in addition to the counts. Default: none. */
  readonly weights?: "f32" | "f64" | null | undefined;
  /** Segments with one histogram each. Default: one histogram of all samples. */
  readonly segments?: SegmentShape | null | undefined;
}

/** States why a request is not one of a plain histogram, or returns null if it is. */
export function withoutKernel(request: Omit<PlanRequest, "algorithm">): string | null {
  const { columns, mask, groups, weights } = request;
  if (columns.length > 1 || mask || groups) {
    return "several columns, masks and groups have plans of their own: ask supportsJoint or explainJoint";
  }
  if (weights) {
    return "weights of plain samples have no plan of their own: call histogram({ weights }), which uses a table's kernels";
  }
  return null;
}

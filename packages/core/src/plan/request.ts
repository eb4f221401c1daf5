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

/** The properties of a count over one axis that a plan depends on. */
export interface PlanRequest {
  readonly algorithm: string;
  /** The algorithm's parameters. Missing ones have their defaults. */
  readonly parameters?: GivenParameters | undefined;
  readonly column: PlanColumn;
  /** Samples per channel. */
  readonly samples: number;
  /** Interleaved channels that are counted in parallel, each separately. */
  readonly channels: number;
  /** Segments with one histogram each. Default: one histogram of all samples. */
  readonly segments?: SegmentShape | null | undefined;
}

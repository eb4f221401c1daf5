import type { BinSums } from "../weights/index.ts";

/** What a device counted of a channel: arrays of this call's own, since `cells` may become the result's. */
export interface ChannelCounts {
  /** `plan.cells` exact counts. */
  readonly cells: Float64Array;
  /** Underflow, overflow, NaN. */
  readonly flow: Float64Array;
}

/** Milliseconds. What a device cannot tell apart is 0. */
export interface DeviceTimings {
  readonly readMs: number;
  readonly uploadMs: number;
  readonly kernelMs: number;
}

/** `plan.bins` exact counts and sums, in units of the job's weights: of integers exact integers, too. */
export interface FeatureSums extends BinSums {
  /** Milliseconds of this feature alone, of a timed job; else null. */
  readonly ms: number | null;
}

/** What a device counted of segments. */
export interface SegmentCounts {
  /** segments x bins, row by row: bins of the axis, not raw cells. Doubles where a segment has 2^32 samples or more. */
  readonly counts: Uint32Array | Float64Array;
  /** segments x 3: underflow, overflow, NaN. Null: no sample can be outside the bins. */
  readonly flow: Uint32Array | Float64Array | null;
  readonly timings: DeviceTimings;
}

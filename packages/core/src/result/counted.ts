import type { BinSums } from "../weights/index.ts";

/** A device's counts of one channel. */
export interface ChannelCounts {
  /**
   * `plan.cells` exact counts, in an array that the device hands over, because the result may use it without a copy.
   */
  readonly cells: Float64Array;
  /** Underflow, overflow, NaN. */
  readonly flow: Float64Array;
  /** The sum of all these, if the device has added them up. Absent: core does. */
  readonly total?: number | undefined;
}

/** Durations in milliseconds. A phase that a device cannot measure separately is 0. */
export interface DeviceTimings {
  /** Reading the input, such as a file or a stream. */
  readonly readMs: number;
  /** Copying samples to the device. */
  readonly uploadMs: number;
  /** Counting on the device. */
  readonly kernelMs: number;
}

/** `plan.bins` exact counts and sums, in units of the job's weights. Integer weights have exact integer sums. */
export interface FeatureSums extends BinSums {
  /** This feature's share of the milliseconds of its group in a timed job; otherwise null. */
  readonly ms: number | null;
}

/** A device's counts of segments. */
export interface SegmentCounts {
  /** segments x bins, row by row: bins of the axis, not raw cells. Doubles if a segment has 2^32 samples or more. */
  readonly counts: Uint32Array | Float64Array;
  /** segments x 3: underflow, overflow, NaN. Null: every sample lies in a bin. */
  readonly flow: Uint32Array | Float64Array | null;
  readonly timings: DeviceTimings;
}

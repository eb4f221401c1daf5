import type { Counts, DeviceTimings } from "../../result/index.ts";

/** The result of a call: counts of each channel, and the device's timings. */
export interface ChannelsCounts {
  readonly counts: readonly Counts[];
  readonly timings: DeviceTimings;
}

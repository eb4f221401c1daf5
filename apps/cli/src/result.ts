import type { Histogram, SampleType, Timings } from "@polybin/core";

/** What was counted, in the words of `--json`. */
export interface InputDescription {
  readonly name: string;
  readonly kind: "image" | "raw";
  readonly type: SampleType;
  /** Samples of one channel: each channel's counts, flow and NaN add up to it. */
  readonly samples: number;
  /** Null for what is no picture. */
  readonly width: number | null;
  readonly height: number | null;
}

/** One counted channel. */
export interface Channel {
  readonly name: string;
  readonly histogram: Histogram;
}

/** All that the outputs show. Every channel has the same axis, backend, algorithm and plan. */
export interface Result {
  readonly input: InputDescription;
  /** At least one. */
  readonly channels: readonly Channel[];
  readonly timings: Timings;
  /** Bytes of the samples that were counted. */
  readonly bytes: number;
  /** What is damaged in a picture that --lenient counted, in words; null for what is whole. */
  readonly damage: string | null;
}

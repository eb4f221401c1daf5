import type { DeviceInput, Input, Resident, ResidentTable } from "../input/index.ts";
import type { ChannelCounts, DeviceTimings, FeatureSums } from "../result/index.ts";
import "../base/platform.ts";
import type { Axis } from "../axis/index.ts";
import type { DeviceLimits } from "../base/index.ts";
import type { Extent, Samples, TableValues } from "../input/index.ts";
import type { Lowering } from "../lowering/index.ts";
import type { Plan, Slug, WeightedPlan, WeightedSlug } from "../plan/index.ts";

/**
 * A way to count: cpu, piscina, webgpu, cuda, or a third party's. Making one touches nothing; `probe`
 * says whether it works here and `open` takes hold of it.
 */
export interface Backend {
  readonly id: string;
  /** The slugs it has kernels for. */
  readonly algorithms: readonly Slug[];
  /**
   * The weighted slugs it has kernels for; absent or empty: no feature tables. `weighted-hybrid` has no kernel: it is
   * claimed beside the three that it chooses from where `sums` tells the times of single features.
   */
  readonly weighted?: readonly WeightedSlug[];
  /** Never rejects: a backend that cannot be had says why. */
  probe(): Promise<Probe>;
  /** @throws ERR_UNAVAILABLE with the reason of `probe`. */
  open(): Promise<Device>;
}

/** Whether a backend works on this machine. */
export type Probe =
  | {
      readonly available: true;
      /** What a person calls the device: "NVIDIA H200". */
      readonly device: string;
      /**
       * Is it a device of software, such as a GPU that the CPU imitates? Those are slow, so lists of backends pass them
       * over. Core's CPU and pools of workers are none: they are made for the CPU. Default no.
       */
      readonly software?: boolean;
    }
  | {
      readonly available: false;
      /** A sentence on what is missing. */
      readonly reason: string;
    };

/** An open backend. The engine checks arguments, plans, and merges; a device only moves and counts. */
export interface Device {
  /** What a person calls it: "NVIDIA H200", "2 workers". */
  readonly name: string;
  readonly limits: DeviceLimits;
  /** Can it read files itself? */
  readonly readsFiles: boolean;
  /**
   * Calls of `count`, `extent` and `sums` that the engine hands it at a time; the others wait in the engine, and hold
   * nothing but their input. Default: 16.
   */
  readonly callsAtOnce?: number;
  /** A sentence on why this plan cannot run here although its limits allow it; null where it can. */
  refuses?(plan: Plan): string | null;
  /** Brings samples to where the device counts them. */
  upload(samples: Samples, options: RunOptions): Promise<Resident>;
  /** Counts as the plan says. */
  count(job: CountJob, options: RunOptions): Promise<Partial>;
  /**
   * Puts counting into a user's own commands, where there are such: nothing is sent off, nothing comes back.
   * Counts of every channel have 32 bits: bins, underflow, overflow, NaN.
   */
  encode?(job: EncodeJob, options: RunOptions): Promise<void>;
  /**
   * Brings a feature table to where its sums are made. The values are below their feature's bins, and nobody else has
   * the bytes: the device may keep them. Present where `sums` is.
   */
  uploadTable?(values: TableValues, options: RunOptions): Promise<ResidentTable>;
  /** Adds weights up as the plans say. Progress is told in values: documents times features. */
  sums?(job: SumsJob, options: RunOptions): Promise<SumsPartial>;
  /** A sentence on why this plan cannot run here although its limits allow it; null where it can. */
  refusesSums?(plan: WeightedPlan): string | null;
  /** Finite minimum and maximum over some channels. */
  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent>;
  /** Lets go of everything; the engine calls it once, when nothing runs. */
  close(): Promise<void>;
}

export interface CountJob {
  readonly input: Input;
  /** Which interleaved channels to count, each into a table of its own. */
  readonly channels: readonly number[];
  readonly axis: Axis;
  readonly lowering: Lowering;
  readonly plan: Plan;
}

/** Counting as commands of a user's own. Unlike of `count`, its lowering may be `constant`, and its pixels none. */
export interface EncodeJob extends Omit<CountJob, "input"> {
  readonly input: DeviceInput;
  /** Samples of one channel: fewer than 2^32. */
  readonly pixels: number;
  /** What takes commands; the device knows its type. */
  readonly encoder: object;
  /** Where the counts go; the device knows its type. */
  readonly into: object;
  /** Bytes of `into` before the first count, whole words. */
  readonly offset: number;
  /** Add to what is there; else overwrite it. */
  readonly add: boolean;
  /** Wait until it is known whether the device took the commands. */
  readonly check: boolean;
}

/** One call of `table.sums`, or a part of it. */
export interface SumsJob {
  readonly table: ResidentTable;
  /** Together every feature at most once. */
  readonly groups: readonly FeatureGroup[];
  /**
   * One weight a document that is added up, in the order of `documents`, scaled and rounded: integers of the precision
   * "reproducible", floats below 1 of "fast". A kernel adds them as they are.
   */
  readonly weights: Int32Array | Float32Array;
  /** Their squares, likewise, on a scale of their own; null: not asked for. */
  readonly squares: Int32Array | Float32Array | null;
  /** The documents to add up, ascending, none twice; null: all. */
  readonly documents: Uint32Array | null;
  /** Tell how long each feature took? */
  readonly timed: boolean;
}

/** Features of as many bins, added up in the same way. */
export interface FeatureGroup {
  readonly plan: WeightedPlan;
  readonly features: readonly number[];
  /** For each of them the value whose documents the kernel passes over: its cells stay 0; null: none. */
  readonly skip: readonly (number | null)[];
}

/** What a device added up, before it is merged into a result. */
export interface SumsPartial {
  /** One for each feature of each group, in their order. */
  readonly features: readonly FeatureSums[];
  readonly timings: DeviceTimings;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the samples done so far (of one channel). */
  readonly onProgress?: ((done: number) => void) | undefined;
}

/** What a device counted, before it is merged into a result. */
export interface Partial {
  readonly channels: readonly ChannelCounts[];
  readonly timings: DeviceTimings;
}

export type { Slug };

import "./platform.ts";
import type { Axis } from "./axis.ts";
import type { Extent } from "./extent.ts";
import type { Lowering } from "./lowering.ts";
import type { DeviceLimits, Plan, Slug } from "./plan.ts";
import type { Samples, SampleType } from "./samples.ts";
import type { BinSums } from "./weighted/bin-sums.ts";
import type { WeightedPlan, WeightedSlug } from "./weighted/plan.ts";
import type { TableValues } from "./weighted/values.ts";

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

/** Samples that stay on a device until they are freed. */
export interface Resident extends AsyncDisposable {
  readonly type: SampleType;
  readonly channels: number;
  /** Samples of one channel. */
  readonly pixels: number;
  /** Was it freed? Then it cannot be counted any more. */
  readonly freed: boolean;
  /** Frees the memory; again is harmless. The engine frees what is left when it closes. */
  free(): Promise<void>;
}

/** A feature table that stays on a device until it is freed; never while `sums` runs on it. */
export interface ResidentTable {
  /** Frees the memory. */
  free(): Promise<void>;
}

/**
 * Samples that a user's own program holds on a device. A backend's package makes such descriptions; its device knows
 * what is behind them, and counts them as they are when it does.
 */
export interface External {
  readonly kind: "external";
  /** Id of the backend that can count them. */
  readonly backend: string;
  readonly type: SampleType;
  readonly channels: number;
  /** Samples of one channel. */
  readonly pixels: number;
}

/** A file of little-endian values that a device reads itself. */
export interface FileSamples {
  readonly path: string;
  readonly type: SampleType;
  readonly channels: number;
  /** Bytes before the first sample. */
  readonly offset: number;
  /** Samples of one channel. */
  readonly pixels: number;
}

/**
 * What a device may be handed. The engine makes one for each call and hands it to all passes of that call (`extent`, then
 * `count`), so that a device can tell whether a file is still the one it saw first.
 */
export type Input =
  | { readonly kind: "samples"; readonly samples: Samples }
  | { readonly kind: "resident"; readonly resident: Resident }
  | { readonly kind: "external"; readonly external: External }
  | { readonly kind: "file"; readonly file: FileSamples };

/** What is on the device before anybody counts it. */
export type DeviceInput = Extract<Input, { readonly kind: "resident" | "external" }>;

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

/** `plan.bins` exact counts and sums, in units of the job's weights: of integers exact integers, too. */
export interface FeatureSums extends BinSums {
  /** Milliseconds of this feature alone, of a timed job; else null. */
  readonly ms: number | null;
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

export type { Slug };

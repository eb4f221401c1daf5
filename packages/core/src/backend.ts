import type { Axis } from "./axis.ts";
import type { Extent } from "./extent.ts";
import type { Lowering } from "./lowering.ts";
import type { DeviceLimits, Plan, Slug } from "./plan.ts";
import type { Samples, SampleType } from "./samples.ts";

/**
 * A way to count: cpu, piscina, webgpu, cuda, or a third party's. Making one touches nothing; `probe`
 * says whether it works here and `open` takes hold of it.
 */
export interface Backend {
  readonly id: string;
  /** The slugs it has kernels for. */
  readonly algorithms: readonly Slug[];
  /** Never rejects: a backend that cannot be had says why. */
  probe(): Promise<Probe>;
  /** @throws ERR_UNAVAILABLE with the reason of `probe`. */
  open(): Promise<Device>;
}

/** Whether a backend works on this machine. */
export type Probe =
  | { readonly available: true; readonly device: string }
  | { readonly available: false; readonly reason: string };

/** An open backend. The engine checks arguments, plans, and merges; a device only moves and counts. */
export interface Device {
  /** What a person calls it: "NVIDIA H200", "2 workers". */
  readonly name: string;
  readonly limits: DeviceLimits;
  /** Can it read files itself? */
  readonly readsFiles: boolean;
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

/** What a device may be handed. */
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

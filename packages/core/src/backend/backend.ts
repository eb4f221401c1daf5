import type { Axis } from "../axis/index.ts";
import type { DeviceLimits } from "../base/index.ts";
import type {
  DeviceInput,
  Extent,
  Input,
  Resident,
  ResidentTable,
  Samples,
  SampleType,
  Segments,
  TableValues,
} from "../input/index.ts";
import type { LookupSize, Lowering } from "../lowering/index.ts";
import type { Algorithm, ComposedAlgorithm, Plan, WeightedAlgorithm, WeightedPlan } from "../plan/index.ts";
import type { ChannelCounts, DeviceTimings, FeatureSums, SegmentCounts } from "../result/index.ts";

/**
 * A way to count: cpu, piscina, webgpu, cuda, or a third party's. Making one touches nothing; `probe`
 * says whether it works here and `open` takes hold of it.
 */
export interface Backend {
  readonly id: string;
  /** The algorithms that it has kernels for. */
  readonly algorithms: readonly Algorithm[];
  /**
   * The weighted algorithms that it has kernels for; absent or empty: no feature tables. A composed one has no kernel: it
   * is claimed beside those that it chooses from where `sums` tells the times of single features.
   */
  readonly weighted?: readonly (WeightedAlgorithm | ComposedAlgorithm)[];
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
  /** Can it put counting into a user's own commands? Then what it prepares has `encode`. Default no. */
  readonly encodes?: boolean;
  /**
   * Calls of `count`, `extent` and `sums` that the engine hands it at a time; the others wait in the engine, and hold
   * nothing but their input. Default: 16.
   */
  readonly callsAtOnce?: number;
  /**
   * Inputs of at most so many bytes are counted sooner on the calling thread than handed on: the engine then calls
   * `countSync` in place of `count`. Absent: none are.
   */
  readonly syncBytes?: number;
  /** What a plan must make room for where a kernel finds bins by ranks. Absent: nothing. */
  lookupSizeOf?(lowering: Lowering): LookupSize | null;
  /** A sentence on why this plan cannot run here although its limits allow it; null where it can. */
  refuses?(plan: Plan): string | null;
  /** Memory in which this device reaches samples, or leaves results, soonest. Absent: an ordinary ArrayBuffer is as good. */
  allocate?(bytes: number): ArrayBufferLike;
  /** Brings samples to where the device counts them. */
  upload(samples: Samples, options: RunOptions): Promise<Resident>;
  /**
   * Works out what this device will do for a job: its launches, scratch memory and pipelines. Touches no samples, holds
   * nothing of a call, and waits for nothing; what takes long, such as compiling, it may start.
   */
  prepare(job: CountJob): Prepared;
  /** The same as `prepare`, of a histogram for each segment; the plan is one for segments. Absent: it counts none. */
  prepareSegments?(job: CountJob): PreparedSegments;
  /**
   * Brings a feature table to where its sums are made. The values are below their feature's bins, and nobody else has
   * the bytes: the device may keep them. Present where `sums` is.
   */
  uploadTable?(values: TableValues, options: RunOptions): Promise<ResidentTable>;
  /** The same as `prepare`, of weighted sums over a table's features. */
  prepareSums?(job: SumsShape): PreparedSums;
  /** A sentence on why this plan cannot run here although its limits allow it; null where it can. */
  refusesSums?(plan: WeightedPlan): string | null;
  /** Finite minimum and maximum over some channels. */
  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent>;
  /** Lets go of everything; the engine calls it once, when nothing runs. */
  close(): Promise<void>;
}

/** What is to be counted, and how: all but the samples. */
export interface CountJob {
  readonly type: SampleType;
  /** Interleaved samples a pixel. */
  readonly interleaved: number;
  /** Which of them to count, each into a table of its own. */
  readonly channels: readonly number[];
  readonly axis: Axis;
  readonly lowering: Lowering;
  readonly plan: Plan;
}

/** A value that JSON holds. */
export type Json = number | string | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * A device's own part of a plan: blocks, passes, bytes of scratch memory, the kernels' names. Frozen and printable; jobs
 * that are equal have equal ones.
 */
export type DeviceLaunch = Readonly<Record<string, Json>>;

/** A job that is ready to run, any number of times, on any samples of its shape, by several calls at once. */
export interface Prepared {
  readonly launch: DeviceLaunch;
  /** Counts as the plan says. */
  count(input: Input, options: RunOptions): Promise<Partial>;
  /** The same before it returns. Absent: the device cannot, or not before `ready`. @throws what `count` rejects with. */
  readonly countSync?: ((input: Input, options: RunOptions) => Partial) | undefined;
  /** Loads what `countSync` needs. Absent: nothing must be loaded. */
  ready?(): Promise<void>;
  /** Counts each input by itself, in as few trips as the device can; all or none. Absent: the engine calls `count`. */
  countAll?(inputs: readonly Input[], options: RunOptions): Promise<readonly Partial[]>;
  /** Counts that stay on the device. Absent: the engine adds up at home what `count` returns. */
  accumulator?(): Accumulator;
  /**
   * Puts counting into a user's own commands, where there are such: nothing is sent off, nothing comes back.
   * Counts of every channel have 32 bits: bins, underflow, overflow, NaN. Unlike of `count`, the job's lowering may be
   * `constant`, and its pixels none.
   */
  encode?(target: EncodeTarget, options: RunOptions): Promise<void>;
}

/** Counts of a job's inputs, added up on the device. */
export interface Accumulator {
  /** Adds all counts of an input or, where it rejects, none of them. */
  add(input: Input, options: RunOptions): Promise<void>;
  /** All that was added since the last `take`. */
  take(options: RunOptions): Promise<Partial>;
  /** Lets go of the counts, taken or not; again is harmless. */
  free(): Promise<void>;
}

/** A job over segments that is ready to run, any number of times, by several calls at once. */
export interface PreparedSegments {
  readonly launch: DeviceLaunch;
  /** A row of counts for each segment, brought home; progress is told in pixels. */
  count(input: Input, segments: Segments, options: SegmentsOptions): Promise<SegmentCounts>;
  /** The same, but the rows stay on the device. Absent: it cannot leave them there. */
  leave?(input: Input, segments: Segments, options: RunOptions): Promise<ResidentCounts>;
}

export interface SegmentsOptions extends RunOptions {
  /** Where the counts of the bins go: segments * bins words. Absent: into an array of the device's own making. */
  readonly into?: Uint32Array | undefined;
}

/** Rows of counts that stay on a device until they are freed. */
export interface ResidentCounts {
  /** Brings the rows of some segments home. */
  read(first: number, count: number, options: SegmentsOptions): Promise<SegmentCounts>;
  readonly freed: boolean;
  /** Again is harmless. */
  free(): Promise<void>;
}

/** Where commands and counts of `encode` go. */
export interface EncodeTarget {
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

/** A call of `table.sums`, or a part of it: all but the weights. */
export interface SumsShape {
  readonly table: ResidentTable;
  /** Together every feature at most once. */
  readonly groups: readonly FeatureGroup[];
  /** Documents that are added up. */
  readonly documents: number;
  /** Does a list say which? Else all are. */
  readonly listed: boolean;
  /** Are squares of the weights added up, too? */
  readonly squares: boolean;
  /** Tell how long each feature took? */
  readonly timed: boolean;
}

/** Weighted sums that are ready to run, any number of times. */
export interface PreparedSums {
  readonly launch: DeviceLaunch;
  /** Adds weights up as the plans say. Progress is told in values: documents times features. */
  sums(weights: SumsWeights, options: RunOptions): Promise<SumsPartial>;
}

/** What is added up. */
export interface SumsWeights {
  /**
   * One weight a document that is added up, in the order of `documents`, scaled and rounded: integers of the precision
   * "reproducible", floats below 1 of "fast". A kernel adds them as they are.
   */
  readonly weights: Int32Array | Float32Array;
  /** Their squares, likewise, on a scale of their own; null: not asked for. */
  readonly squares: Int32Array | Float32Array | null;
  /** The documents to add up, ascending, none twice; null: all. */
  readonly documents: Uint32Array | null;
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
  /** Find out how long the device takes? Else timings are 0, and nothing is measured. Default no. */
  readonly timed?: boolean | undefined;
}

/** What a device counted, before it is merged into a result. */
export interface Partial {
  readonly channels: readonly ChannelCounts[];
  readonly timings: DeviceTimings;
}

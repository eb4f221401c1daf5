import type { OrderedAxis } from "../axis/index.ts";
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
import type {
  Algorithm,
  ComposedAlgorithm,
  JointPlan,
  Plan,
  WeightedAlgorithm,
  WeightedPlan,
} from "../plan/index.ts";
import type { ChannelCounts, DeviceTimings, FeatureSums, SegmentCounts } from "../result/index.ts";

/**
 * A way to count: cpu, piscina, webgpu, cuda, or a third party's. Creating one has no side effects. `probe` reports
 * whether it works here, and `open` acquires its device.
 */
export interface Backend {
  /** The backend's id, such as "cpu". */
  readonly id: string;
  /** The algorithms that the backend has kernels for. */
  readonly algorithms: readonly Algorithm[];
  /**
   * The weighted algorithms that the backend has kernels for. Absent or empty: it has no feature tables. A composed
   * algorithm has no kernel. List it with the algorithms that it chooses from, if `sums` reports the times of single
   * features.
   */
  readonly weighted?: readonly (WeightedAlgorithm | ComposedAlgorithm)[];
  /** Reports whether the backend works here, with a reason if it does not. Never rejects. */
  probe(): Promise<Probe>;
  /** Opens the device. @throws ERR_UNAVAILABLE with the reason of `probe`. */
  open(): Promise<Device>;
}

/** Reports whether a backend works on this machine. */
export type Probe =
  | {
      readonly available: true;
      /** The device's name for people, such as "NVIDIA H200". */
      readonly device: string;
      /**
       * Whether the device is software, such as a GPU that the CPU emulates. Software devices are slow, so lists of
       * backends skip them. Core's CPU and worker pools do not count as software devices, because they are made for
       * the CPU. Default: false.
       */
      readonly software?: boolean;
    }
  | {
      readonly available: false;
      /** A sentence that states what is missing. */
      readonly reason: string;
    };

/** An open backend. The engine checks arguments, plans and merges. A device only moves and counts samples. */
export interface Device {
  /** The device's name for people, such as "NVIDIA H200" or "2 workers". */
  readonly name: string;
  readonly limits: DeviceLimits;
  /** Whether the device reads files itself. */
  readonly readsFiles: boolean;
  /**
   * Whether the device can record counting into a user's commands. If so, its `Prepared` has `encode`. Default:
   * false.
   */
  readonly encodes?: boolean;
  /**
   * Calls of `count`, `extent` and `sums` that the engine passes to the device at a time. Others wait in the engine
   * and hold only their input. Default: 16.
   */
  readonly callsAtOnce?: number;
  /**
   * Largest input, in bytes, that is counted faster on the calling thread than passed on. The engine calls
   * `countSync` instead of `count` for such inputs. Absent: there are none.
   */
  readonly syncBytes?: number;
  /** Returns what a plan must make room for if a kernel finds bins by ranks. Absent: nothing. */
  lookupSizeOf?(lowering: Lowering): LookupSize | null;
  /** Returns a sentence that states why this plan cannot run here although the limits allow it, or null if it can. */
  refuses?(plan: Plan): string | null;
  /**
   * Allocates a buffer of exactly this size, in memory in which this device reads samples, or writes results, fastest.
   * Absent: an ArrayBuffer is as fast.
   */
  allocate?(bytes: number): ArrayBufferLike;
  /** Copies samples to where the device counts them. */
  upload(samples: Samples, options: RunOptions): Promise<Resident>;
  /**
   * Works out what this device does for a job: launches, scratch memory and pipelines. It reads no samples, keeps no
   * state of a call and waits for nothing. It may start slow work such as compiling.
   */
  prepare(job: CountJob): Prepared;
  /**
   * Like `prepare`, for one histogram per segment. The plan is one for segments. Absent: the device cannot count
   * them.
   */
  prepareSegments?(job: CountJob): PreparedSegments;
  /**
   * Like `prepare`, for the cells of several columns. It may load its code first. Absent: the device cannot count them.
   */
  prepareJoint?(job: JointJob): PreparedJoint | Promise<PreparedJoint>;
  /** Returns a sentence that states why this plan cannot run here although the limits allow it, or null if it can. */
  refusesJoint?(plan: JointPlan): string | null;
  /**
   * Copies a feature table to where its sums are made. The values are below their feature's number of bins. The
   * device may keep the bytes, because nothing else references them. Present if `prepareSums` is.
   */
  uploadTable?(values: TableValues, options: RunOptions): Promise<ResidentTable>;
  /** Like `prepare`, for weighted sums over a table's features. */
  prepareSums?(job: SumsShape): PreparedSums;
  /** Returns a sentence that states why this plan cannot run here although the limits allow it, or null if it can. */
  refusesSums?(plan: WeightedPlan): string | null;
  /** Returns the finite minimum and maximum over some channels. */
  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent>;
  /** Releases all resources. The engine calls it once, when nothing runs. */
  close(): Promise<void>;
}

/** Describes a count except for its samples. */
export interface CountJob {
  readonly type: SampleType;
  /** Interleaved samples per pixel. */
  readonly interleaved: number;
  /** The channels to count, each into its own table. */
  readonly channels: readonly number[];
  readonly axis: OrderedAxis;
  readonly lowering: Lowering;
  readonly plan: Plan;
}

/** One column of a joint count. */
export interface JointColumn {
  readonly type: SampleType;
  /** Interleaved samples per pixel of the column's input. */
  readonly interleaved: number;
  /** The channel that is counted. */
  readonly channel: number;
  readonly axis: OrderedAxis;
  /** How samples find their codes. It is never `constant`. */
  readonly lowering: Lowering;
}

/** Describes a joint count except for its samples. */
export interface JointJob {
  /** The columns, in the order of `plan.columns`. */
  readonly columns: readonly JointColumn[];
  readonly plan: JointPlan;
}

/** The samples of a joint count. All columns have the same number of pixels. */
export interface JointInputs {
  /** One input per column. Several columns may be channels of the same input, which is then the same object. */
  readonly columns: readonly Input[];
  /**
   * Samples of type u8, one channel: a byte per pixel, or a bit per pixel from the lowest bit of each byte on. A pixel
   * whose byte or bit is 0 is left out. Null: `plan.mask` is "none".
   */
  readonly mask: Input | null;
  /** Indices of the pixels to count, each below the number of pixels. Null: all pixels; `plan.listed` is false. */
  readonly where: Uint32Array | null;
  /** Number of samples that are counted or masked: the length of `where`, or the number of pixels. */
  readonly samples: number;
}

/** A joint job that is ready to run, any number of times, in concurrent calls. */
export interface PreparedJoint {
  readonly launch: DeviceLaunch;
  /** Counts as the plan states. Progress is reported in samples. */
  count(inputs: JointInputs, options: RunOptions): Promise<JointPartial>;
  /** Counts synchronously. Absent: the device cannot. @throws everything that `count` rejects with. */
  readonly countSync?: ((inputs: JointInputs, options: RunOptions) => JointPartial) | undefined;
  /** Counts each separately, in as few trips as possible; all or none. Absent: the engine calls `count`. */
  countAll?(inputs: readonly JointInputs[], options: RunOptions): Promise<readonly JointPartial[]>;
}

/** The counts of a device over several columns, before they are merged into a result. */
export interface JointPartial {
  /** `plan.cells` exact counts, in an array that the device hands over. */
  readonly cells: Float64Array | Uint32Array;
  /** Number of samples that the mask left out. */
  readonly masked: number;
  readonly timings: DeviceTimings;
}

/** A value that JSON can hold. */
export type Json = number | string | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * A device's part of a plan: blocks, passes, bytes of scratch memory, names of kernels. It is frozen and printable.
 * Equal jobs have equal launches.
 */
export type DeviceLaunch = Readonly<Record<string, Json>>;

/** A job that is ready to run, any number of times, on any samples of its shape, in concurrent calls. */
export interface Prepared {
  readonly launch: DeviceLaunch;
  /** Counts as the plan states. */
  count(input: Input, options: RunOptions): Promise<Partial>;
  /** Counts synchronously. Absent: the device cannot, or not before `ready`. @throws everything that `count` rejects with. */
  readonly countSync?: ((input: Input, options: RunOptions) => Partial) | undefined;
  /** Loads what `countSync` needs. Absent: nothing has to be loaded. */
  ready?(): Promise<void>;
  /** Counts each input separately, in as few trips as possible; all or none. Absent: the engine calls `count`. */
  countAll?(inputs: readonly Input[], options: RunOptions): Promise<readonly Partial[]>;
  /** Creates counts that stay on the device. Absent: the engine adds up the results of `count` on the host. */
  accumulator?(): Accumulator;
  /**
   * Records counting into a user's commands, if the device supports it. It submits nothing and reads nothing back.
   * Counts of every channel have 32 bits: bins, underflow, overflow, NaN. In contrast to `count`, the job's lowering
   * may be `constant`, and there may be no pixels.
   */
  encode?(target: EncodeTarget, options: RunOptions): Promise<void>;
}

/** Counts of a job's inputs that are added up on the device. */
export interface Accumulator {
  /** Adds all counts of an input, or none of them if it rejects. */
  add(input: Input, options: RunOptions): Promise<void>;
  /** Returns everything that was added since the last `take`. */
  take(options: RunOptions): Promise<Partial>;
  /** Frees the counts, taken or not. It may be called more than once. */
  free(): Promise<void>;
}

/** A job over segments that is ready to run, any number of times, in concurrent calls. */
export interface PreparedSegments {
  readonly launch: DeviceLaunch;
  /** Counts one row per segment and copies the rows to the host. Progress is reported in pixels. */
  count(input: Input, segments: Segments, options: SegmentsOptions): Promise<SegmentCounts>;
  /** Counts one row per segment and leaves the rows on the device. Absent: the device cannot. */
  leave?(input: Input, segments: Segments, options: RunOptions): Promise<ResidentCounts>;
}

export interface SegmentsOptions extends RunOptions {
  /** An array of segments * bins words that receives the counts of the bins. Absent: the device allocates one. */
  readonly into?: Uint32Array | undefined;
}

/** Rows of counts that stay on a device until they are freed. */
export interface ResidentCounts {
  /** The device's timings of the counting if they were requested; otherwise 0. */
  readonly timings: DeviceTimings;
  /** Copies the rows of some segments to the host. */
  read(first: number, count: number, options: SegmentsOptions): Promise<SegmentCounts>;
  readonly freed: boolean;
  /** Frees the rows. It may be called more than once. */
  free(): Promise<void>;
}

/** The destination of the commands and counts of `encode`. */
export interface EncodeTarget {
  readonly input: DeviceInput;
  /** Samples per channel, fewer than 2^32. */
  readonly pixels: number;
  /** The encoder that receives the commands. The device knows its type. */
  readonly encoder: object;
  /** The memory that receives the counts. The device knows its type. */
  readonly into: object;
  /** Byte offset of the first count in `into`, a multiple of 4. */
  readonly offset: number;
  /** Whether to add to the counts in `into` instead of overwriting them. */
  readonly add: boolean;
  /** Whether to wait until the device has accepted the commands. */
  readonly check: boolean;
}

/** Describes a call of `table.sums`, or a part of it, except for the weights. */
export interface SumsShape {
  readonly table: ResidentTable;
  /** Groups of features. Each feature occurs at most once. */
  readonly groups: readonly FeatureGroup[];
  /** Number of documents that are added up. */
  readonly documents: number;
  /** Whether a list selects the documents. Otherwise all are added up. */
  readonly listed: boolean;
  /** Whether the squares of the weights are added up too. */
  readonly squares: boolean;
  /** Whether to report each feature's share of the time in which the features of its group ran together. */
  readonly timed: boolean;
}

/** Weighted sums that are ready to run, any number of times. */
export interface PreparedSums {
  readonly launch: DeviceLaunch;
  /** Adds up weights as the plans state. Progress is reported in values (documents times features). */
  sums(weights: SumsWeights, options: RunOptions): Promise<SumsPartial>;
}

/** The weights that are added up. */
export interface SumsWeights {
  /**
   * One weight per document that is added up, in the order of `documents`, scaled and rounded: integers for the
   * precision "reproducible", floats below 1 for "fast". A kernel adds them without further scaling.
   */
  readonly weights: Int32Array | Float32Array;
  /** Their squares in the same form, with a scale of their own; null: not requested. */
  readonly squares: Int32Array | Float32Array | null;
  /** Ascending indices of the documents to add up, without duplicates; null: all. */
  readonly documents: Uint32Array | null;
}

/** Features with the same number of bins that are added up in the same way. */
export interface FeatureGroup {
  readonly plan: WeightedPlan;
  readonly features: readonly number[];
  /** Per feature, the value whose documents the kernel skips, so that its cells stay 0; null: none. */
  readonly skip: readonly (number | null)[];
}

/** The sums of a device, before they are merged into a result. */
export interface SumsPartial {
  /** One entry per feature of each group, in their order. */
  readonly features: readonly FeatureSums[];
  readonly timings: DeviceTimings;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called from time to time with the number of samples (of one channel) done so far. */
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Whether to measure how long the device takes. Otherwise timings are 0. Default: false. */
  readonly timed?: boolean | undefined;
}

/** The counts of a device, before they are merged into a result. */
export interface Partial {
  readonly channels: readonly ChannelCounts[];
  readonly timings: DeviceTimings;
}

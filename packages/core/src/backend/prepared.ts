import type { DeviceInput, Input } from "../input/index.ts";
import type { ChannelCounts, DeviceTimings, FeatureSums, SegmentCounts } from "../result/index.ts";
import type { CellsInputs, Kind, SegmentsInputs, SumsWeights, WeightedInputs } from "./jobs.ts";

/** A value that JSON can hold. */
export type Json = number | string | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * A device's part of a plan: blocks, passes, bytes of scratch memory, names of kernels. It is frozen and printable.
 * Equal jobs have equal launches.
 */
export type DeviceLaunch = Readonly<Record<string, Json>>;

/**
 * A job that is ready to run, any number of times, on any samples of its shape, in concurrent calls.
 * @typeParam I the samples of a call
 * @typeParam P what a call found
 */
export interface Prepared<I = Input, P = ChannelsPart> {
  readonly launch: DeviceLaunch;
  /** Counts as the plan states. Progress is reported in samples of one column, or values of a table. */
  count(input: I, options: RunOptions): Promise<P>;
  /** Counts synchronously. Absent: the device cannot, or not before `ready`. @throws everything that `count` rejects with. */
  readonly countSync?: ((input: I, options: RunOptions) => P) | undefined;
  /** Loads what `countSync` needs. Absent: nothing has to be loaded. */
  ready?(): Promise<void>;
  /** Counts each input separately, in as few trips as possible; all or none. Absent: the engine calls `count`. */
  countAll?(inputs: readonly I[], options: RunOptions): Promise<readonly P[]>;
  /** Creates counts that stay on the device. Absent: the engine adds up the results of `count` on the host. */
  accumulator?(): Accumulator<I, P>;
  /**
   * Records counting into a user's commands, if the device supports it. It submits nothing and reads nothing back.
   * Counts of every channel have 32 bits: bins, underflow, overflow, NaN. In contrast to `count`, the job's lowering
   * may be `constant`, and there may be no pixels.
   */
  encode?(target: EncodeTarget, options: RunOptions): Promise<void>;
  /** Counts one row per segment and leaves the rows on the device. Absent: the device cannot. */
  leave?(input: I, options: RunOptions): Promise<ResidentCounts>;
}

/** The result of `prepare` for each kind of job. A promise loads the code of a kind that few calls need. */
export type PreparedOf<K extends Kind> = {
  channels: Prepared;
  segments: PreparedSegments | Promise<PreparedSegments>;
  cells: PreparedCells | Promise<PreparedCells>;
  weighted: PreparedWeighted | Promise<PreparedWeighted>;
  sums: PreparedSums | Promise<PreparedSums>;
}[K];

/** A count of segments that is ready to run. */
export type PreparedSegments = Prepared<SegmentsInputs, SegmentCounts>;
/** A count of cells that is ready to run. */
export type PreparedCells = Prepared<CellsInputs, CellsPart>;
/** A weighted count of cells that is ready to run. */
export type PreparedWeighted = Prepared<WeightedInputs, WeightedPart>;
/** Weighted sums that are ready to run. */
export type PreparedSums = Prepared<SumsWeights, SumsPart>;

/** Counts of a job's inputs that are added up on the device. */
export interface Accumulator<I = Input, P = ChannelsPart> {
  /** Adds all counts of an input, or none of them if it rejects. */
  add(input: I, options: RunOptions): Promise<void>;
  /** Returns everything that was added since the last `take`. */
  take(options: RunOptions): Promise<P>;
  /** Frees the counts, taken or not. It may be called more than once. */
  free(): Promise<void>;
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called from time to time with the number of samples (of one channel) done so far. */
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Whether to measure how long the device takes. Otherwise timings are 0. Default: false. */
  readonly timed?: boolean | undefined;
}

/** The counts of a device over channels, before they are merged into a result. */
export interface ChannelsPart {
  readonly channels: readonly ChannelCounts[];
  readonly timings: DeviceTimings;
}

/** The counts of a device over cells, before they are merged into a result. */
export interface CellsPart {
  /** `plan.cells` exact counts, in an array that the device hands over. */
  readonly cells: Float64Array | Uint32Array;
  /** Number of samples that the mask left out. */
  readonly masked: number;
  readonly timings: DeviceTimings;
}

/** The sums of a device over cells, before they are merged into a result. */
export interface WeightedPart {
  /** The number of samples in each cell of each row. */
  readonly counts: Float64Array;
  /** The sums of each column of weights. */
  readonly columns: readonly ColumnLimbs[];
  /** Number of samples that the mask left out. Those in no segment are in no cell either. */
  readonly masked: number;
  /** Whether all weights, and their squares if requested, were finite. Otherwise the sums are wrong. */
  readonly finite: boolean;
  readonly timings: DeviceTimings;
}

/** The exact sums of one column of weights. */
export interface ColumnLimbs {
  readonly sums: readonly CellLimbs[];
  /** Those of the squares; null: not requested. */
  readonly squares: readonly CellLimbs[] | null;
}

/**
 * A part of exact sums: a whole number of 2^exponent for each cell, of at most 2^32. The parts add up to the sums.
 */
export interface CellLimbs {
  readonly exponent: number;
  readonly limbs: Float64Array;
}

/** The sums of a device, before they are merged into a result. */
export interface SumsPart {
  /** One entry per feature of each group, in their order. */
  readonly features: readonly FeatureSums[];
  readonly timings: DeviceTimings;
}

/** Rows of counts that stay on a device until they are freed. */
export interface ResidentCounts {
  /** The device's timings of the counting if they were requested; otherwise 0. */
  readonly timings: DeviceTimings;
  /** Copies the rows of some segments to the host. */
  read(first: number, count: number, options: ReadOptions): Promise<SegmentCounts>;
  readonly freed: boolean;
  /** Frees the rows. It may be called more than once. */
  free(): Promise<void>;
}

export interface ReadOptions extends RunOptions {
  /** An array of count * bins words that receives the counts of the bins. Absent: the device allocates one. */
  readonly into?: Uint32Array | undefined;
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
  /** Number of bins in `into`. */
  readonly bins: number;
  /**
   * The code in `into` of each code on the job's axis: its bins, underflow, overflow, NaN. Several may share a code, which
   * then gets the sum of their counts. Null: they are equal.
   */
  readonly codes: Uint32Array | null;
  /** Byte offset of the first count in `into`, a multiple of 4. */
  readonly offset: number;
  /** Whether to add to the counts in `into` instead of overwriting them. */
  readonly add: boolean;
  /** Whether to wait until the device has accepted the commands. */
  readonly check: boolean;
}

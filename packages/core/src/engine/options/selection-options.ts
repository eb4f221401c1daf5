import type { AlgorithmParameters, Slug } from "../../algorithms/index.ts";
import type { Axis, AxisOptions } from "../../axis/index.ts";
import type {
  ByteStream,
  Countable,
  External,
  FileInput,
  Resident,
  SamplesInit,
  SampleType,
} from "../../input/index.ts";
import type { CallOptions, CountingOptions, Progress } from "./options.ts";
import type { WeightingOptions } from "./weighting-options.ts";

/** Input that can be read more than once. */
export type JointSource = Exclude<Countable, ByteStream>;

/** A column: samples, a stream, or one channel of interleaved samples. */
export type JointColumnInput = Countable | StreamColumn;

/** An input with what it does not say itself. A stream alone has the type of its pieces. */
export interface StreamColumn {
  readonly input: Countable;
  /** Sample type of bytes. Default: that of its pieces; bytes alone are "u8". */
  readonly type?: SampleType | undefined;
  /** Interleaved samples per pixel of a stream. Default: 1. */
  readonly interleaved?: number | undefined;
  /** The channel that is counted, if there are several. */
  readonly channel?: number | undefined;
  /** Length of a stream in bytes, if it is known. A Blob reports its size automatically. */
  readonly bytes?: number | undefined;
}

/** Says which samples are counted: those whose byte or bit is not 0. */
export type Mask =
  | Uint8Array
  | SamplesInit
  | Resident
  | External
  | FileInput
  | ByteStream
  | StreamColumn
  /** One bit per sample, from the lowest bit of each byte on. */
  | { readonly bits: Uint8Array };

/** Divides samples into groups, each with a histogram of its own. */
export interface Groups {
  /** One integer per sample: the number of its group. */
  readonly codes: JointColumnInput;
  /** Number of groups. Codes are below it. */
  readonly groups: number;
}

/** Options that leave samples out, or divide them into groups. */
export interface Selection {
  /**
   * The samples to count: a byte per sample that is not 0, in memory, on the device or in a stream, or `{ bits }` with a
   * bit per sample. The result reports the others as `masked`.
   */
  readonly mask?: Mask | null | undefined;
  /** Indices of the samples to count. An index that occurs twice counts twice. Default: all samples. */
  readonly where?: Uint32Array | null | undefined;
  /** The group of each sample. The call then returns one result per group. */
  readonly by?: Groups | null | undefined;
}

/** Weights of samples: an array, or any other input. */
export type GivenWeights = Float32Array | Float64Array | readonly number[] | JointColumnInput;

/** Options that apply while a call runs. */
interface RunningOptions {
  /** Whether to measure how long the call takes. Otherwise the result's `timings` are null. Default: false. */
  readonly timings?: boolean | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called from time to time with the number of samples counted so far. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of `histogram` with a mask, a list of indices, or groups. */
export type SelectedOptions = Selection & CountingOptions & CallOptions;

/** Options of `joint`. */
export interface JointOptions extends Selection, AlgorithmParameters, RunningOptions {
  /** One axis per column, or its `bins` and `range`. Default: the axis that `histogram` would use for each column. */
  readonly axes?: readonly (Axis | AxisOptions)[] | undefined;
  /** The channels of the only input that are the columns. */
  readonly channels?: readonly number[] | undefined;
  /** The algorithm's slug. Default: "auto", the algorithm that measured fastest on this kind of device. */
  readonly algorithm?: Slug | "auto" | (string & {}) | undefined;
}

/**
 * One result for each column of weights.
 * @typeParam W the list of columns
 */
export type PerWeights<W extends readonly unknown[], R> = { -readonly [K in keyof W]: R };

/** Options of calls with weights. */
interface Weighting<W>
  extends Selection,
    WeightingOptions,
    Pick<CallOptions, "timings" | "type" | "interleaved" | "bytes"> {
  /**
   * One finite weight per sample: an array, samples on the device, a stream or a file. 32-bit floats are read as they are,
   * other numbers as doubles. A list of several such columns takes one pass over the samples. The call then returns a list
   * in place of each result: the results that calls with each column would return, in their order.
   */
  readonly weights: W;
}

/**
 * Options of `histogram` with weights.
 * @typeParam W one column of weights, or a list of columns
 */
export type WeightedHistogramOptions<W = GivenWeights> = Weighting<W> & AxisOptions;

/** The same, with a channel. */
export type WeightedSelectedOptions<W = GivenWeights> = WeightedHistogramOptions<W> & {
  readonly channel?: number;
};

/** Options of `joint` with weights. */
export interface WeightedJointOptions<W = GivenWeights>
  extends Omit<Weighting<W>, "type" | "interleaved" | "bytes">,
    Pick<JointOptions, "axes" | "channels"> {}

/** Names of `Selection`. */
export const SELECTION_NAMES: readonly (keyof Selection)[] = ["mask", "where", "by"];

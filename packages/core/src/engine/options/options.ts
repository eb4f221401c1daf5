import { type AlgorithmParameters, algorithms, type Slug } from "../../algorithms/index.ts";
import { type AxisOptions, type AxisParts, checkAxisOptions, type Without } from "../../axis/index.ts";
import { checkNames, checkSwitch, expected, suggestion, WORD_BYTES } from "../../base/index.ts";
import { checkedWhole, type SampleType } from "../../input/index.ts";
import type { OpenBackend } from "../opened/open-backend.ts";

/**
 * Options that define how samples are counted: the axis and the algorithm. A backend's own algorithms may add their
 * parameters as further options.
 */
export type CountingOptions = AxisOptions & AlgorithmOptions;

/** An algorithm and its parameters. Without the name of an algorithm there are no parameters. */
export type AlgorithmOptions =
  | (AlgorithmParts & { readonly algorithm: string })
  | (AlgorithmParts & Without<keyof AlgorithmParameters>);

interface AlgorithmParts extends AlgorithmParameters {
  /** The algorithm's slug. Default: "auto", the algorithm that measured fastest on this kind of device. */
  readonly algorithm?: Slug | "auto" | (string & {}) | undefined;
}

/** The parts of `CountingOptions`, in any combination. */
interface CountingParts extends AxisParts, AlgorithmParts {}

/** Options of `histogram` and `histograms`. */
export type HistogramOptions = CountingOptions & CallOptions;

/** Options of a call that counts one input. */
export interface CallOptions {
  /**
   * Sample type of bytes in a stream, an ArrayBuffer, a SharedArrayBuffer or a DataView. Default: "u8". Typed arrays,
   * also as pieces of a stream, have their own type and refuse a different one.
   */
  readonly type?: SampleType | undefined;
  /**
   * Interleaved samples per pixel of a stream. Default: 1. Other inputs have their own number and refuse a different
   * one.
   */
  readonly interleaved?: number | undefined;
  /**
   * Length of a stream in bytes, such as a file's size or a Content-Length. A stream that is shorter or longer is
   * refused, and progress reports a total. Other inputs know their length and refuse this option. A Blob reports its
   * size automatically.
   */
  readonly bytes?: number | undefined;
  /**
   * Whether to measure how long the call takes, on the device and in total. Otherwise the result's `timings` are
   * null. Default: false.
   */
  readonly timings?: boolean | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called from time to time with the number of samples counted so far. `total` is null for a stream without `bytes`.
   */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of `prepare`. */
export type PrepareOptions = CountingOptions & {
  /** Sample type of all inputs. Default: "u8". */
  readonly type?: SampleType | undefined;
  /** Interleaved samples per pixel of all inputs. Default: 1. */
  readonly interleaved?: number | undefined;
  /** Whether to measure how long each call takes. Otherwise the results' `timings` are null. Default: false. */
  readonly timings?: boolean | undefined;
};

/** The progress of a call, in samples. */
export interface Progress {
  /** Samples (per channel) counted so far. */
  readonly done: number;
  /** Samples in total; null if it is not known. */
  readonly total: number | null;
}

/** Options of `encode`: how and where counts are written to your own memory on a device. */
export type EncodeOptions = CountingOptions & {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The interleaved channels to count. Default: all. */
  readonly channels?: readonly number[] | undefined;
  /** The memory that receives the counts, of the device's own type. On WebGPU it is a GPUBuffer with STORAGE usage. */
  readonly into: object;
  /** Byte offset of the first count, a multiple of 4. Default: 0. */
  readonly offset?: number | undefined;
  /** Whether to add to the counts in `into`, modulo 2^32, instead of overwriting them. Default: false. */
  readonly add?: boolean | undefined;
  /**
   * Whether to wait until the device has accepted the commands, and to reject if the device refuses them. Default:
   * true. If false and the kernels are compiled, the call completes before the event loop turns. Textures of a canvas
   * need this, because they expire with their frame. An error of the device then surfaces when the encoder is
   * finished.
   */
  readonly check?: boolean | undefined;
};

export const AXIS_NAMES: readonly string[] = ["axis", "bins", "range", "nice"];

/** Names of what a call says of an input that does not know it. */
export const SHAPE_NAMES: readonly string[] = ["type", "interleaved", "bytes"];

/** Names of the options that work while a call runs. */
export const TALK_NAMES: readonly string[] = ["signal", "onProgress"];

const COUNTING_NAMES: readonly string[] = [...AXIS_NAMES, "algorithm"];

const OPTION_NAMES: readonly string[] = [...SHAPE_NAMES, "timings", ...TALK_NAMES];

const ENCODE_NAMES = ["signal", "into", "offset", "add", "check"];

/** Names that the options already use. No parameter of an algorithm can have one of them. */
export const CALL_NAMES: readonly string[] = [
  ...COUNTING_NAMES,
  ...OPTION_NAMES,
  ...ENCODE_NAMES,
  ...["channel", "channels", "axes", "columns", "leave", "weights", "mask", "where", "by"],
  ...["samples", "segments", "width", "accumulate"],
];

/** Returns the names of `CountingOptions` on a backend. */
export function countingNames({ parameters }: Pick<OpenBackend, "parameters">): readonly string[] {
  return [...COUNTING_NAMES, ...parameters];
}

/** @throws ERR_INPUT unless the value is a function or undefined. */
export function checkProgress(onProgress: unknown): void {
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw expected("ERR_INPUT", "onProgress", "a function", onProgress);
  }
}

/** Checks every name and simple value in the options of a call. @throws ERR_INPUT, ERR_UNSUPPORTED. */
export function checkOptions(
  options: HistogramOptions,
  channels: "channel" | "channels",
  opened: OpenBackend,
): void {
  // Calls with these columns are checked elsewhere, but a misspelled one is suggested here.
  const which = channels === "channel" ? ["channel", "weights", "mask", "where", "by"] : ["channels"];
  checkNames(options, [...which, ...countingNames(opened), ...OPTION_NAMES]);
  checkProgress(options.onProgress);
  checkSwitch(options.timings, "timings");
  checkCounting(options, opened);
}

/** Checks the options of `encode`. @throws ERR_INPUT, ERR_UNSUPPORTED. */
export function checkEncodeOptions(options: EncodeOptions, opened: OpenBackend): EncodeOptions {
  checkNames(options, ["channels", ...countingNames(opened), ...ENCODE_NAMES]);
  checkCounting(options, opened);
  const { into, offset = 0, add, check } = options;
  if (typeof into !== "object" || into === null) {
    throw expected("ERR_INPUT", "into", "memory of the device, such as a GPUBuffer,", into);
  }
  checkedWhole(offset, "offset", 0);
  if (offset % WORD_BYTES !== 0) {
    throw expected("ERR_INPUT", "offset", `a multiple of ${WORD_BYTES}`, offset);
  }
  checkSwitch(add, "add");
  checkSwitch(check, "check");
  return options;
}

/**
 * @throws ERR_UNSUPPORTED for an unknown algorithm.
 * @throws ERR_INPUT for an invalid range.
 */
export function checkCounting(
  options: CountingParts,
  { algorithms: own }: Pick<OpenBackend, "algorithms">,
): void {
  const { algorithm } = options;
  const isKnown =
    algorithm === undefined ||
    algorithm === "auto" ||
    (typeof algorithm === "string" &&
      (Object.hasOwn(algorithms, algorithm) || own.some(({ slug }) => slug === algorithm)));
  if (!isKnown) {
    const slugs = [...Object.keys(algorithms), ...own.map(({ slug }) => slug)];
    const helps = suggestion(algorithm, slugs);
    throw expected("ERR_UNSUPPORTED", "algorithm", "auto or the name of an algorithm", algorithm, { helps });
  }
  checkAxisOptions(options);
}

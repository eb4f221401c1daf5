import { algorithms, type Parameters, type Slug } from "../algorithms/index.ts";
import { type AxisOptions, checkAxisOptions } from "../axis/index.ts";
import { checkNames, checkSwitch, expected, WORD_BYTES } from "../base/index.ts";
import { checkedWhole, type SampleType } from "../input/index.ts";
import type { Host } from "./host.ts";

/**
 * How samples are counted: over which axis, and by which algorithm. The parameters of a backend's own algorithms are
 * options, too, by their names.
 */
export interface CountingOptions extends AxisOptions, Parameters {
  /** Default "auto": what measured fastest on this kind of device. */
  readonly algorithm?: Slug | "auto" | (string & {}) | undefined;
}

/** What `histogram` and `histograms` may be told. */
export interface HistogramOptions extends CountingOptions {
  /** Sample type of a stream. Default u8. Other inputs know theirs, and refuse another. */
  readonly type?: SampleType | undefined;
  /** Interleaved samples a pixel of a stream. Default 1. Other inputs know theirs, and refuse another. */
  readonly interleaved?: number | undefined;
  /**
   * Bytes that a stream promises, such as a file's size or a Content-Length: one that ends before or goes on after them is
   * refused, and progress has a total. Other inputs know theirs, and refuse it. A Blob promises its size by itself.
   */
  readonly bytes?: number | undefined;
  /** Find out how long the call takes, on the device and in all? Else the result's `timings` are null. Default no. */
  readonly timings?: boolean | undefined;
  /** Stops the work; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the samples counted so far; `total` is null for a stream that promises no `bytes`. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** What a counter is prepared for. */
export interface PrepareOptions extends CountingOptions {
  /** Sample type of all inputs. Default u8. */
  readonly type?: SampleType | undefined;
  /** Interleaved samples a pixel of all inputs. Default 1. */
  readonly interleaved?: number | undefined;
  /** Find out how long each call takes? Else the results' `timings` are null. Default no. */
  readonly timings?: boolean | undefined;
}

/** How far a call is. */
export interface Progress {
  readonly done: number;
  readonly total: number | null;
}

/** How counts come to lie in a user's own memory on a device. */
export interface EncodeOptions extends CountingOptions {
  /** Stops the work; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Which interleaved channels. Default: all. */
  readonly channels?: readonly number[] | undefined;
  /** The memory that the counts are written to, of the device's own type: a GPUBuffer with STORAGE usage. */
  readonly into: object;
  /** Bytes before the first count, a multiple of 4. Default 0. */
  readonly offset?: number | undefined;
  /** Add to the counts that are there, modulo 2^32; else they are overwritten. Default no. */
  readonly add?: boolean | undefined;
  /**
   * Wait until it is known whether the device took the commands, and reject where it did not. Default yes. Without it
   * a call whose kernels are compiled is done before the event loop turns, as a canvas' texture needs, which is gone
   * with its frame; what the device then refuses, it tells whoever finishes the encoder.
   */
  readonly check?: boolean | undefined;
}

const COUNTING_NAMES = ["axis", "bins", "range", "algorithm"];

const OPTION_NAMES = ["type", "interleaved", "bytes", "timings", "signal", "onProgress"];

const PREPARE_NAMES = ["type", "interleaved", "channel", "channels", "timings"];

const ENCODE_NAMES = ["signal", "into", "offset", "add", "check"];

/** Names that are taken: no parameter of an algorithm can have them. */
export const CALL_NAMES: readonly string[] = [
  ...COUNTING_NAMES,
  ...OPTION_NAMES,
  ...ENCODE_NAMES,
  "channel",
  "channels",
  "leave",
];

/** The names of `CountingOptions` on a backend. */
export function countingNames({ parameters }: Pick<Host, "parameters">): readonly string[] {
  return [...COUNTING_NAMES, ...parameters];
}

/** @throws ERR_INPUT unless it is a function, or not given. */
export function checkProgress(onProgress: unknown): void {
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw expected("ERR_INPUT", "onProgress", "a function", onProgress);
  }
}

/** The options of a call, every name and simple value checked. @throws ERR_INPUT, ERR_UNSUPPORTED. */
export function checkOptions(options: HistogramOptions, channels: "channel" | "channels", host: Host): void {
  // Weights that are not given do not make a call a weighted one.
  const which = channels === "channel" ? ["channel", "weights"] : ["channels"];
  checkNames(options, [...which, ...countingNames(host), ...OPTION_NAMES]);
  checkProgress(options.onProgress);
  checkSwitch(options.timings, "timings");
  checkCounting(options, host);
}

/** The options of `prepare`, likewise. */
export function checkPrepareOptions<T extends PrepareOptions>(options: T, host: Host): T {
  checkNames(options, [...PREPARE_NAMES, ...countingNames(host)]);
  checkCounting(options, host);
  checkSwitch(options.timings, "timings");
  return options;
}

/** The options of `encode`, likewise. @throws ERR_INPUT, ERR_UNSUPPORTED. */
export function checkEncodeOptions(options: EncodeOptions, host: Host): EncodeOptions {
  checkNames(options, ["channels", ...countingNames(host), ...ENCODE_NAMES]);
  checkCounting(options, host);
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

/** @throws ERR_UNSUPPORTED for a name that is no algorithm's; ERR_INPUT */
export function checkCounting(options: CountingOptions, { algorithms: own }: Pick<Host, "algorithms">): void {
  const { algorithm } = options;
  const isKnown =
    algorithm === undefined ||
    algorithm === "auto" ||
    (typeof algorithm === "string" &&
      (Object.hasOwn(algorithms, algorithm) || own.some(({ slug }) => slug === algorithm)));
  if (!isKnown) {
    throw expected("ERR_UNSUPPORTED", "algorithm", "auto or the name of an algorithm", algorithm);
  }
  checkAxisOptions(options);
}

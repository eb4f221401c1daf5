import { type Axis, checkedBins, wholeRange } from "./axis.ts";
import { expected, PolybinError } from "./errors.ts";
import { BYTE_VALUES, MAX_THREADS } from "./limits.ts";
import type { Parameters, Slug } from "./plan.ts";
import { SAMPLE_TRAITS, type SampleType } from "./samples.ts";
import { isSlug } from "./select.ts";

export interface HistogramOptions extends Parameters {
  /** Default: the whole range of integer samples (256 bins from 16 bits on), the data's own range of floats. */
  readonly axis?: Axis | undefined;
  /** Bins of the default axis. Default 256. */
  readonly bins?: number | undefined;
  /** Default "auto": what measured fastest on this kind of device. */
  readonly algorithm?: Slug | "auto" | undefined;
  /** Sample type of a stream. Default u8. Other inputs know theirs, and refuse another. */
  readonly type?: SampleType | undefined;
  /** Interleaved samples a pixel of a stream. Default 1. Other inputs know theirs, and refuse another. */
  readonly interleaved?: number | undefined;
  /** Stops the work; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the samples counted so far; `total` is null for a stream. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Progress {
  readonly done: number;
  readonly total: number | null;
}

const OPTION_NAMES: readonly string[] = [
  "axis",
  "bins",
  "algorithm",
  "type",
  "interleaved",
  "signal",
  "onProgress",
  "k",
  "collisions",
  "merge",
  "layout",
] satisfies (keyof HistogramOptions)[];

/** @throws ERR_INPUT unless options are an object. */
export function checkObject(options: unknown): void {
  if (typeof options !== "object" || options === null) {
    throw expected("ERR_INPUT", "options", "an object", options);
  }
}

/**
 * The number of threads that a backend is asked for; where none is, as many as the machine runs at once.
 * @throws ERR_INPUT unless it is a whole number of at least 1; ERR_LIMIT past 256.
 */
export function checkedThreads(threads: unknown, machine: number): number {
  if (threads === undefined) return Math.min(machine, MAX_THREADS);
  if (typeof threads !== "number" || !Number.isInteger(threads) || threads < 1) {
    throw expected("ERR_INPUT", "threads", "a whole number of at least 1", threads);
  }
  if (threads > MAX_THREADS) throw expected("ERR_LIMIT", "threads", `at most ${MAX_THREADS}`, threads);
  return threads;
}

/** @throws ERR_INPUT unless it is a function, or not given. */
export function checkProgress(onProgress: unknown): void {
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw expected("ERR_INPUT", "onProgress", "a function", onProgress);
  }
}

/** The options of a call, every name and simple value checked. @throws ERR_INPUT, ERR_UNSUPPORTED. */
export function checkOptions<T extends HistogramOptions>(options: T, channels: "channel" | "channels"): T {
  checkObject(options);
  for (const name of Object.keys(options)) {
    if (name !== channels && !OPTION_NAMES.includes(name)) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected one of the options ${channels}, ${OPTION_NAMES.join(", ")} but received ${name}`,
      );
    }
  }
  const { algorithm, axis, bins, onProgress } = options;
  checkProgress(onProgress);
  if (algorithm !== undefined && algorithm !== "auto" && !isSlug(algorithm)) {
    throw expected("ERR_UNSUPPORTED", "algorithm", "auto or the name of an algorithm", algorithm);
  }
  if (axis !== undefined && bins !== undefined) {
    throw new PolybinError("ERR_INPUT", "expected either axis or bins but received both");
  }
  return options;
}

/** The axis of a type whose range is known; null for floats, whose range the data must tell. */
export function defaultAxis(type: SampleType, bins: number | undefined): Axis | null {
  if (SAMPLE_TRAITS[type].integer) return wholeRange(type, bins ?? BYTE_VALUES);
  checkedBins(bins ?? BYTE_VALUES);
  return null;
}

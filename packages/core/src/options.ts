import { type Axis, checkedBins, wholeRange } from "./axis.ts";
import { expected, PolybinError } from "./errors.ts";
import { BYTE_VALUES } from "./limits.ts";
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

/** The options of a call, every name and simple value checked. @throws ERR_INPUT, ERR_UNSUPPORTED. */
export function checkOptions<T extends HistogramOptions>(options: T, channels: "channel" | "channels"): T {
  if (typeof options !== "object" || options === null)
    throw expected("ERR_INPUT", "options", "an object", options);
  for (const name of Object.keys(options)) {
    if (name !== channels && !OPTION_NAMES.includes(name)) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected one of the options ${channels}, ${OPTION_NAMES.join(", ")} but received ${name}`,
      );
    }
  }
  const { algorithm, axis, bins, onProgress } = options;
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw expected("ERR_INPUT", "onProgress", "a function", onProgress);
  }
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

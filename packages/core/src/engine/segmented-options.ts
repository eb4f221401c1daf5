import { checkNames, checkSwitch, expected, PolybinError } from "../base/index.ts";
import { nameOfArray, type Segments } from "../input/index.ts";
import { needsDoubles } from "../result/index.ts";
import type { Host } from "./host.ts";
import {
  type CountingOptions,
  checkCounting,
  checkProgress,
  countingNames,
  type Progress,
} from "./options.ts";

/** Options of `segments`. */
export type SegmentedOptions = CountingOptions & {
  /** The channel to count, if there are several interleaved channels. */
  readonly channel?: number | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called from time to time with the number of pixels counted so far. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Whether to measure how long the call takes. Otherwise the result's `timings` are null. Default: false. */
  readonly timings?: boolean | undefined;
  /**
   * An array of segments x bins numbers that receives the counts and is overwritten. Its content is undefined if the
   * call rejects. Default: a new array.
   */
  readonly into?: Uint32Array | undefined;
  /** Whether to leave the counts on the device, so that you can read them in parts or later. Default: false. */
  readonly leave?: boolean | undefined;
};

const OWN_NAMES = ["channel", "signal", "onProgress", "timings", "into", "leave"];

/** @throws ERR_INPUT, ERR_UNSUPPORTED */
export function checkSegmentedOptions(options: SegmentedOptions, host: Host): void {
  checkNames(options, [...countingNames(host), ...OWN_NAMES]);
  const { onProgress, timings, into, leave } = options;
  checkCounting(options, host);
  checkProgress(onProgress);
  checkSwitch(timings, "timings");
  checkSwitch(leave, "leave");
  if (leave === true && into !== undefined) {
    throw new PolybinError("ERR_INPUT", "expected either leave or into but received both: pass into to read");
  }
}

/** Checks an array for counts, of any realm. @throws ERR_INPUT unless it has exactly the right length. */
export function checkInto(
  into: unknown,
  segments: Pick<Segments, "count" | "longest">,
  bins: number,
): asserts into is Uint32Array | undefined {
  if (into === undefined) return;
  if (!ArrayBuffer.isView(into) || nameOfArray(into) !== "Uint32Array") {
    throw expected("ERR_INPUT", "into", "a Uint32Array", into);
  }
  const { length } = into as Uint32Array;
  if (length !== segments.count * bins) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected ${segments.count * bins} numbers (${segments.count} segments of ${bins} bins) for into but received ${length}`,
    );
  }
  if (needsDoubles(segments)) {
    throw new PolybinError(
      "ERR_INPUT",
      "expected segments of fewer than 2^32 samples with into, whose numbers have 32 bits: leave into out",
    );
  }
}

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

/** What `segments` may be told. */
export interface SegmentedOptions extends CountingOptions {
  /** Which of several interleaved channels. */
  readonly channel?: number | undefined;
  /** Stops the work; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the pixels counted so far. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Measure how long the call takes? Default no: `timings` of the result is null. */
  readonly timings?: boolean | undefined;
  /**
   * Where the counts go: segments x bins numbers, which are overwritten. What it holds after a call that rejected is not
   * known. Default: an array of their own.
   */
  readonly into?: Uint32Array | undefined;
  /** Leave the counts on the device, to be read in parts or later. Default no. */
  readonly leave?: boolean | undefined;
}

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
    throw new PolybinError("ERR_INPUT", "expected either leave or into but received both: read takes into");
  }
}

/** Memory for counts, of any realm. @throws ERR_INPUT unless it has room for just these. */
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
      "expected segments below 2^32 samples beside into, whose numbers have 32 bits: leave it out",
    );
  }
}

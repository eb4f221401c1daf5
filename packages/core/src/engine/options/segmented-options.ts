import { checkSwitch, expected, PolybinError } from "../../base/index.ts";
import { nameOfArray, type Segments } from "../../input/index.ts";
import { needsDoubles } from "../../result/index.ts";
import type { CallOptions, CountingOptions } from "./options.ts";
import type { GivenWeights, Selection, WeightedHistogramOptions } from "./selection-options.ts";

/** Options of `segments`. */
export type SegmentedOptions = Omit<Selection, "by"> & CountingOptions & CallOptions & SegmentedParts;

/** Options of `segments` with weights. */
export type WeightedSegmentedOptions<W = GivenWeights> = WeightedHistogramOptions<W> & {
  readonly by?: undefined;
};

interface SegmentedParts {
  /** The channel to count, if there are several interleaved channels. */
  readonly channel?: number | undefined;
  /**
   * An array of segments x bins numbers that receives the counts and is overwritten. Its content is undefined if the
   * call rejects. Default: a new array.
   */
  readonly into?: Uint32Array | undefined;
  /** Whether to leave the counts on the device, so that you can read them in parts or later. Default: false. */
  readonly leave?: boolean | undefined;
}

/** Names that only `segments` has. */
export const SEGMENTED_NAMES: readonly string[] = ["into", "leave"];

/** @throws ERR_INPUT */
export function checkSegmentedSwitches({ into, leave }: Pick<SegmentedOptions, "into" | "leave">): void {
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

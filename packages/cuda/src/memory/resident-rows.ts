import type { ReadOptions, ResidentCounts, SegmentCounts, SegmentRange } from "@polybin/core/backend";
import { type Held, type Keeper, Kept } from "./kept.ts";

/** Rows in the memory of one device. */
export interface ResidentRowsPart extends Held, SegmentRange {}

type Read = (
  parts: readonly ResidentRowsPart[],
  range: SegmentRange,
  options: ReadOptions,
) => Promise<SegmentCounts>;

/** Rows of counts in the memory of one or several devices. */
export class CudaRows extends Kept<ResidentRowsPart> implements ResidentCounts {
  readonly timings: ResidentCounts["timings"];
  readonly #read: Read;

  constructor(
    keeper: Keeper,
    parts: readonly ResidentRowsPart[],
    timings: ResidentCounts["timings"],
    read: Read,
  ) {
    super(keeper, parts, "counts on the device but they were");
    this.timings = timings;
    this.#read = read;
  }

  async read(first: number, count: number, options: ReadOptions): Promise<SegmentCounts> {
    return this.#read(this.parts, { first, end: first + count }, options);
  }
}

import { PolybinError } from "@polybin/core";
import type { ReadOptions, ResidentCounts, SegmentCounts, SegmentRange } from "@polybin/core/backend";

/** Rows in the memory of one device. */
export interface ResidentRowsPart extends SegmentRange {
  readonly device: number;
  /** The rows' number in the device's context. */
  readonly id: number;
}

/** Rows of counts in the memory of one or several devices. */
export class CudaRows implements ResidentCounts {
  readonly timings: ResidentCounts["timings"];
  #parts: readonly ResidentRowsPart[] | null;
  readonly #read: (
    parts: readonly ResidentRowsPart[],
    range: SegmentRange,
    options: ReadOptions,
  ) => Promise<SegmentCounts>;
  readonly #free: (of: CudaRows, parts: readonly ResidentRowsPart[]) => Promise<void>;

  constructor(
    parts: readonly ResidentRowsPart[],
    timings: ResidentCounts["timings"],
    read: (
      parts: readonly ResidentRowsPart[],
      range: SegmentRange,
      options: ReadOptions,
    ) => Promise<SegmentCounts>,
    free: (of: CudaRows, parts: readonly ResidentRowsPart[]) => Promise<void>,
  ) {
    this.#parts = parts;
    this.timings = timings;
    this.#read = read;
    this.#free = free;
  }

  async read(first: number, count: number, options: ReadOptions): Promise<SegmentCounts> {
    if (this.#parts === null) {
      throw new PolybinError("ERR_INPUT", "expected counts on the device but they were freed", {
        backend: "cuda",
      });
    }
    return this.#read(this.#parts, { first, end: first + count }, options);
  }

  get freed(): boolean {
    return this.#parts === null;
  }

  async free(): Promise<void> {
    const parts = this.#parts;
    this.#parts = null;
    if (parts !== null) await this.#free(this, parts);
  }
}

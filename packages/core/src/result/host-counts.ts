import { FLOW_ROWS, PolybinError } from "../base/index.ts";
import type { SegmentCounts } from "./counted.ts";
import type { RowNumbers } from "./segmented.ts";

/** Rows of counts in this process's memory, in the role of a device's resident rows. */
export class HostCounts {
  /** The timings of the counting. */
  readonly timings: SegmentCounts["timings"];
  #rows: Pick<SegmentCounts, "counts" | "flow"> | null;
  readonly #bins: number;

  constructor({ counts, flow, timings }: SegmentCounts, bins: number) {
    this.timings = timings;
    this.#rows = { counts, flow };
    this.#bins = bins;
  }

  get freed(): boolean {
    return this.#rows === null;
  }

  /** Returns a copy of some rows. @throws ERR_INPUT after `free`. */
  async read(
    first: number,
    count: number,
    { into }: { readonly into?: Uint32Array | undefined } = {},
  ): Promise<SegmentCounts> {
    if (this.#rows === null)
      throw new PolybinError("ERR_INPUT", "expected counts on the device but they were freed");
    const { counts, flow } = this.#rows;
    const of = (rows: RowNumbers, width: number): RowNumbers =>
      rows.subarray(first * width, (first + count) * width);
    const found = of(counts, this.#bins);
    into?.set(found);
    return {
      counts: into ?? own(found),
      flow: flow && own(of(flow, FLOW_ROWS)),
      timings: { readMs: 0, uploadMs: 0, kernelMs: 0 },
    };
  }

  async free(): Promise<void> {
    this.#rows = null;
  }
}

/** Copies rows into an ordinary ArrayBuffer, whatever memory they are in. */
function own(rows: RowNumbers): RowNumbers {
  return rows instanceof Float64Array ? Float64Array.from(rows) : Uint32Array.from(rows);
}

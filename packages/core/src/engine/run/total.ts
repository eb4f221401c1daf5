import { expected, MAX_SAMPLES } from "../../base/index.ts";
import type { DeviceTimings } from "../../result/index.ts";
import type { CallCounts } from "./run.ts";
import { type CellCounts, sumOf } from "./tallies/cells-tally.ts";
import { SegmentsTally } from "./tallies/segments-tally.ts";
import { SumsTally } from "./tallies/sums-tally.ts";
import { WeightedTally } from "./tallies/weighted-tally.ts";

/** The results of several calls of one counter, added up. */
export class Total {
  /** The first call, which the result describes. */
  #first: CallCounts | null = null;
  #counts: CellCounts | null = null;
  #sums: SumsTally | WeightedTally | null = null;
  #timings: DeviceTimings = { readMs: 0, uploadMs: 0, kernelMs: 0 };
  #totalMs = 0;
  #samples = 0;
  /** Calls that are still adding. */
  readonly adding: Set<Promise<unknown>> = new Set();

  /** Adds what a call counted. @throws ERR_LIMIT if counts would no longer be exact */
  add(counted: CallCounts, samples: number): void {
    if (this.#samples + samples > MAX_SAMPLES) {
      const what = `at most ${MAX_SAMPLES} until they are taken`;
      throw expected("ERR_LIMIT", "samples", what, this.#samples + samples);
    }
    const { tally, timings } = counted;
    if (tally instanceof SumsTally || tally instanceof WeightedTally) {
      if (this.#sums === null) this.#sums = tally;
      // A counter adds up all of its calls in the same way.
      else this.#sums.merge(tally as never);
    } else if (!(tally instanceof SegmentsTally)) this.#addCounts(tally.counts());
    this.#first ??= counted;
    this.#samples += samples;
    if (timings === null) return;
    this.#timings = sumOf(this.#timings, timings);
    this.#totalMs += timings.totalMs;
  }

  #addCounts(found: CellCounts): void {
    if (this.#counts === null) {
      this.#counts = found;
      return;
    }
    const { cells, masked } = this.#counts;
    for (let cell = 0; cell < cells.length; cell++) cells[cell]! += found.cells[cell]!;
    this.#counts = { ...this.#counts, masked: masked + found.masked };
  }

  /** Adds another total. */
  merge(other: Total): void {
    const counted = other.counted();
    if (counted !== null) this.add(counted, other.#samples);
  }

  /** Returns everything that was added; null: nothing was. */
  counted(): CallCounts | null {
    const first = this.#first;
    if (first === null) return null;
    const counts = this.#counts;
    const { provenance, timings: ofTally } = first.tally;
    const tally =
      counts === null ? (this.#sums ?? first.tally) : { provenance, timings: ofTally, counts: () => counts };
    const timings = first.timings && { ...this.#timings, totalMs: this.#totalMs };
    return { ...first, tally, timings };
  }
}

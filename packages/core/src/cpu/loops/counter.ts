import type { SampleArray } from "../../input/index.ts";
import type { ChannelCounts } from "../../result/index.ts";
import type { Counter, CounterJob } from "../counting.ts";
import { TABLE_SAMPLES } from "../limits.ts";
import type { Loop } from "./loop.ts";
import { loopOf } from "./loop-of.ts";

/** Counts samples of more than a byte with the loop for their type and axis. @returns a function that creates one counter per call */
export function loopCounters({ axis, lowering, channels, stride }: CounterJob): () => Counter {
  const loop = loopOf(axis, lowering);
  return () => new LoopCounter(loop, channels, stride);
}

class LoopCounter implements Counter {
  readonly #loop: Loop;
  readonly #channels: readonly number[];
  readonly #stride: number;
  readonly #tables: Int32Array[];
  /** The counts of earlier tables. Null: there are none. */
  #totals: Float64Array[] | null = null;
  /** Samples in the tables, whose counters have 32 bits. */
  #inTable = 0;

  constructor(loop: Loop, channels: readonly number[], stride: number) {
    this.#loop = loop;
    this.#channels = channels;
    this.#stride = stride;
    this.#tables = channels.map(() => new Int32Array(loop.rows));
  }

  add(run: SampleArray): void {
    const most = TABLE_SAMPLES * this.#stride;
    for (let from = 0; from < run.length; from += most) {
      const some = run.length <= most ? run : run.subarray(from, from + most);
      const pixels = some.length / this.#stride;
      if (this.#inTable + pixels > TABLE_SAMPLES) this.#empty();
      this.#inTable += pixels;
      for (let i = 0; i < this.#tables.length; i++) {
        this.#loop.add(this.#tables[i]!, some, this.#channels[i]!, this.#stride);
      }
    }
  }

  channels(): ChannelCounts[] {
    if (this.#totals !== null) this.#empty();
    const { firstBin, bins, flow } = this.#loop;
    return (this.#totals ?? this.#tables).map((rows) => {
      const cells = new Float64Array(bins);
      cells.set(rows.subarray(firstBin, firstBin + bins));
      return { cells, flow: Float64Array.from(flow, (row) => rows[row]!) };
    });
  }

  /** Moves the counts to the totals. */
  #empty(): void {
    this.#totals ??= this.#tables.map(({ length }) => new Float64Array(length));
    for (const [i, table] of this.#tables.entries()) {
      const totals = this.#totals[i]!;
      for (let row = 0; row < table.length; row++) totals[row]! += table[row]!;
      table.fill(0);
    }
    this.#inTable = 0;
  }
}

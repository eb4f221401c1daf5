import { FLOW_ROWS } from "../../base/index.ts";
import type { SampleArray } from "../../input/index.ts";
import type { ChannelCounts } from "../../result/index.ts";
import type { Counter, CounterJob } from "../counting.ts";
import { TABLE_SAMPLES } from "../limits.ts";
import type { Loop } from "./loop.ts";
import { loopOf } from "./loop-of.ts";

/**
 * Counts samples of more than a byte with the loop for their type and axis.
 * @returns a function that creates one counter per call
 */
export function loopCounters({ axis, lowering, channels, stride }: CounterJob): () => Counter {
  const kept: Kept = { loop: loopOf(axis, lowering), channels, stride, tables: null };
  return () => new LoopCounter(kept);
}

/** Creates a counter of samples of one channel. */
export function loopCounter(loop: Loop): Counter {
  return new LoopCounter({ loop, channels: [0], stride: 1, tables: null });
}

/** The parts that the counters of a job share. */
interface Kept {
  readonly loop: Loop;
  readonly channels: readonly number[];
  /** Number of interleaved channels. */
  readonly stride: number;
  /** Tables of zeros that a counter has left for the next one, because a new table costs more than a short count. */
  tables: readonly Int32Array[] | null;
}

/** Shared by results without flow, and never written. */
const NO_FLOW = new Float64Array(FLOW_ROWS);

class LoopCounter implements Counter {
  readonly #kept: Kept;
  readonly #tables: readonly Int32Array[];
  /** The counts of earlier tables. Null: there are none. */
  #totals: readonly Float64Array[] | null = null;
  /** Samples in the tables, whose counters have 32 bits. */
  #inTable = 0;

  constructor(kept: Kept) {
    this.#kept = kept;
    this.#tables = kept.tables ?? kept.channels.map(() => new Int32Array(kept.loop.rows));
    kept.tables = null;
  }

  add(run: SampleArray): void {
    const { loop, channels, stride } = this.#kept;
    const most = TABLE_SAMPLES * stride;
    for (let from = 0; from < run.length; from += most) {
      const some = run.length <= most ? run : run.subarray(from, from + most);
      const pixels = some.length / stride;
      if (this.#inTable + pixels > TABLE_SAMPLES) this.#empty();
      this.#inTable += pixels;
      for (let i = 0; i < channels.length; i++) loop.add(this.#tables[i]!, some, channels[i]!, stride);
    }
  }

  channels(): ChannelCounts[] {
    if (this.#totals !== null) this.#empty();
    const { loop, channels } = this.#kept;
    const counted: ChannelCounts[] = new Array(channels.length);
    for (let i = 0; i < channels.length; i++) {
      counted[i] =
        this.#totals === null ? countsOf(loop, this.#tables[i]!) : countsOfTotals(loop, this.#totals[i]!);
    }
    for (const table of this.#tables) table.fill(0);
    this.#kept.tables = this.#tables;
    return counted;
  }

  /** Moves the counts to the totals. */
  #empty(): void {
    this.#totals ??= this.#tables.map(({ length }) => new Float64Array(length));
    for (let i = 0; i < this.#tables.length; i++) {
      const [table, totals] = [this.#tables[i]!, this.#totals[i]!];
      for (let row = 0; row < table.length; row++) totals[row]! += table[row]!;
      table.fill(0);
    }
    this.#inTable = 0;
  }
}

function countsOf({ firstBin, bins, flow }: Loop, rows: Int32Array): ChannelCounts {
  const cells = new Float64Array(bins);
  let total = 0;
  for (let bin = 0; bin < bins; bin++) {
    const count = rows[firstBin + bin]!;
    cells[bin] = count;
    total = (total + count) | 0;
  }
  const [underflow, overflow, nan] = [rows[flow[0]]!, rows[flow[1]]!, rows[flow[2]]!];
  const outside = underflow + overflow + nan;
  const ofFlow = outside === 0 ? NO_FLOW : Float64Array.of(underflow, overflow, nan);
  return { cells, flow: ofFlow, total: total + outside };
}

function countsOfTotals({ firstBin, bins, flow }: Loop, rows: Float64Array): ChannelCounts {
  return {
    cells: rows.slice(firstBin, firstBin + bins),
    flow: Float64Array.of(rows[flow[0]]!, rows[flow[1]]!, rows[flow[2]]!),
  };
}

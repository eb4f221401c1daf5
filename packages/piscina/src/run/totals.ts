import type { ChannelCounts } from "@polybin/core/backend";

/** The counts that a counter of one channel found. `cells` is null if they are in a shared table. */
interface Found {
  readonly cells: Float64Array | null;
  readonly flow: Float64Array;
}

/** Adds up the exact counts of a job as they arrive. The first counts are stored without a copy. */
export class Totals {
  readonly #channels: { cells: Float64Array | null; flow: Float64Array | null }[];
  readonly #cells: number;

  constructor(channels: number, cells: number) {
    this.#channels = Array.from({ length: channels }, () => ({ cells: null, flow: null }));
    this.#cells = cells;
  }

  /** Adds counts of one channel. The caller must not use the arrays afterwards. */
  add(channel: number, { cells, flow }: Found): void {
    const to = this.#channels[channel]!;
    if (cells !== null) to.cells = sum(to.cells, cells);
    to.flow = sum(to.flow, flow);
  }

  /** Adds 32-bit tables, one per channel. */
  addTables(tables: readonly Int32Array[]): void {
    tables.forEach((table, channel) => {
      const to = this.#channels[channel]!;
      to.cells = sum(
        to.cells,
        Float64Array.from(table, (count) => count >>> 0),
      );
    });
  }

  channels(): ChannelCounts[] {
    return this.#channels.map(({ cells, flow }) => ({
      cells: cells ?? new Float64Array(this.#cells),
      flow: flow ?? new Float64Array(3),
    }));
  }
}

function sum(to: Float64Array | null, more: Float64Array): Float64Array {
  if (to === null) return more;
  for (let i = 0; i < to.length; i++) to[i]! += more[i]!;
  return to;
}

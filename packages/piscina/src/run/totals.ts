import type { ChannelCounts } from "@polybin/core/backend";

/** What a counter of one channel found; null: its cells are in a table that it shares. */
interface Found {
  readonly cells: Float64Array | null;
  readonly flow: Float64Array;
}

/** Exact counts of a job, added up as they come: the first are taken as they are. */
export class Totals {
  readonly #channels: { cells: Float64Array | null; flow: Float64Array | null }[];
  readonly #cells: number;

  constructor(channels: number, cells: number) {
    this.#channels = Array.from({ length: channels }, () => ({ cells: null, flow: null }));
    this.#cells = cells;
  }

  /** Adds counts of one channel, which nobody else keeps. */
  add(channel: number, { cells, flow }: Found): void {
    const to = this.#channels[channel]!;
    if (cells !== null) to.cells = sum(to.cells, cells);
    to.flow = sum(to.flow, flow);
  }

  /** Adds 32-bit tables, one a channel. */
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

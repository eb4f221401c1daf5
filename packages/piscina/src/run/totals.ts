import type { ChannelCounts } from "@polybin/core/backend";

/** Exact counts of a job, added up as its workers answer. */
export class Totals {
  readonly channels: readonly ChannelCounts[];

  constructor(channels: number, cells: number) {
    this.channels = Array.from({ length: channels }, () => ({
      cells: new Float64Array(cells),
      flow: new Float64Array(3),
    }));
  }

  /** Adds what a counter of one channel found; null: its cells are in a table that it shares. */
  add(
    channel: number,
    { cells, flow }: { readonly cells: Uint32Array | null; readonly flow: Float64Array },
  ): void {
    const to = this.channels[channel]!;
    if (cells !== null) for (let cell = 0; cell < cells.length; cell++) to.cells[cell]! += cells[cell]!;
    for (let kind = 0; kind < flow.length; kind++) to.flow[kind]! += flow[kind]!;
  }

  /** Adds 32-bit tables, one a channel. */
  addTables(tables: readonly (Uint32Array | Int32Array)[]): void {
    tables.forEach((table, channel) => {
      const { cells } = this.channels[channel]!;
      for (let cell = 0; cell < cells.length; cell++) cells[cell]! += table[cell]! >>> 0;
    });
  }

  /** Adds what fell outside the bins. */
  addFlow(flows: readonly Float64Array[]): void {
    flows.forEach((from, channel) => {
      const { flow } = this.channels[channel]!;
      for (let kind = 0; kind < flow.length; kind++) flow[kind]! += from[kind]!;
    });
  }
}

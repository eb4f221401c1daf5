import type { ChannelsPlan } from "@polybin/core";
import { type ChannelCounts, limits } from "@polybin/core/backend";
import type { Answer, ChannelResult, ChannelsWork } from "../../counting/index.ts";
import { kernelOf } from "../../kernels/index.ts";

/** Returns the number of table sets that workers share through atomics, one table per channel. */
export function sharedSets(plan: ChannelsPlan, workers: number): number {
  const group = groupOf(plan, workers);
  return group === 0 ? 0 : Math.ceil(workers / group);
}

/** Returns the number of workers that share a set, or 0 if none do. */
function groupOf(plan: ChannelsPlan, workers: number): number {
  return kernelOf(plan).sharing?.(plan, workers) ?? 0;
}

/** Adds up the exact counts of a call as they arrive. The first counts are stored without a copy. */
export class ChannelTotals {
  readonly work: ChannelsWork;
  readonly #group: number;
  #sets: readonly (readonly Int32Array[])[] = [];
  #totals: readonly ChannelResult[] | null = null;

  constructor(work: ChannelsWork, workers: number) {
    this.work = work;
    this.#group = groupOf(work.plan, workers);
    if (this.#group > 0) this.#sets = newSets(work, workers);
  }

  /** Returns the tables that a thread shares with others, or null if it has its own. The calling thread joins the first. */
  tablesOf(place: number | "here"): readonly Int32Array[] | null {
    if (this.#group === 0) return null;
    return this.#sets[place === "here" ? 0 : Math.floor(place / this.#group)]!;
  }

  onAnswer(answer: Answer): void {
    if (answer.kind === "channels") this.#add(answer.channels);
  }

  #add(counts: readonly ChannelResult[]): void {
    if (this.#totals === null) this.#totals = counts;
    else {
      this.#totals = this.#totals.map(({ cells, flow }, channel) => {
        const more = counts[channel]!;
        return { cells: sum(cells, more.cells), flow: sum(flow, more.flow)! };
      });
    }
  }

  /** Takes the counts of the shared tables, at the end of a launch. */
  end(): void {
    for (const tables of this.#sets) {
      const counts = tables.map((table) => Float64Array.from(table, (count) => count >>> 0));
      this.#add(counts.map((cells) => ({ cells, flow: new Float64Array(limits.FLOW_ROWS) })));
      for (const table of tables) table.fill(0);
    }
  }

  /** Returns the counts of all launches, which have ended. */
  channels(): ChannelCounts[] {
    if (this.#totals !== null) return this.#totals as ChannelCounts[];
    const { plan, channels } = this.work;
    return channels.map(() => {
      return { cells: new Float64Array(plan.cells), flow: new Float64Array(limits.FLOW_ROWS) };
    });
  }
}

/** Returns sets of tables, one per channel. */
function newSets({ plan, channels }: ChannelsWork, workers: number): Int32Array[][] {
  const newTable = () => new Int32Array(new SharedArrayBuffer(plan.cells * limits.WORD_BYTES));
  return Array.from({ length: sharedSets(plan, workers) }, () => channels.map(newTable));
}

function sum(to: Float64Array | null, more: Float64Array | null): Float64Array | null {
  if (to === null || more === null) return to ?? more;
  for (let i = 0; i < to.length; i++) to[i]! += more[i]!;
  return to;
}

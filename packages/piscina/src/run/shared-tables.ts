import type { ChannelsPlan } from "@polybin/core";
import { kernelOf } from "../kernels/index.ts";

/** One table per channel. */
export type Tables = readonly Int32Array[];

/** The tables that workers share through atomics. The plan's kernel determines which workers share a set. */
export class SharedTables {
  readonly sets: readonly Tables[];
  readonly #group: number;

  constructor(plan: ChannelsPlan, channels: number, workers: number) {
    this.#group = groupOf(plan, workers);
    this.sets = Array.from({ length: tableSets(plan, workers) }, () =>
      Array.from(
        { length: channels },
        () => new Int32Array(new SharedArrayBuffer(plan.cells * Int32Array.BYTES_PER_ELEMENT)),
      ),
    );
  }

  /** Returns the tables of a worker, or null if it has its own. */
  of(worker: number): Tables | null {
    return this.sets[Math.floor(worker / this.#group)] ?? null;
  }
}

/** Returns the number of table sets that workers share. */
export function tableSets(plan: ChannelsPlan, workers: number): number {
  const group = groupOf(plan, workers);
  return group === 0 ? 0 : Math.ceil(workers / group);
}

/** Returns the number of workers that share a set, or 0 if none do. */
function groupOf(plan: ChannelsPlan, workers: number): number {
  return kernelOf(plan).sharing?.(plan, workers) ?? 0;
}

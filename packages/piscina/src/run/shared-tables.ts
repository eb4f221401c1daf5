import type { Plan } from "@polybin/core";
import { kernelOf } from "../kernels/index.ts";

/** One table a channel. */
export type Tables = readonly Int32Array[];

/** The tables that workers share through atomics, and who shares which, as the plan's kernel says. */
export class SharedTables {
  readonly sets: readonly Tables[];
  readonly #group: number;

  constructor(plan: Plan, channels: number, workers: number) {
    this.#group = groupOf(plan, workers);
    this.sets = Array.from({ length: tableSets(plan, workers) }, () =>
      Array.from(
        { length: channels },
        () => new Int32Array(new SharedArrayBuffer(plan.cells * Int32Array.BYTES_PER_ELEMENT)),
      ),
    );
  }

  /** The tables of a worker; null where it keeps its own. */
  of(worker: number): Tables | null {
    return this.sets[Math.floor(worker / this.#group)] ?? null;
  }
}

/** Sets of tables that some workers share. */
export function tableSets(plan: Plan, workers: number): number {
  const group = groupOf(plan, workers);
  return group === 0 ? 0 : Math.ceil(workers / group);
}

/** Workers that share a set; 0: none do. */
function groupOf(plan: Plan, workers: number): number {
  return kernelOf(plan).sharing?.(plan, workers) ?? 0;
}

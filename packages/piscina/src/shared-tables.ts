import type { Plan } from "@polybin/core";

/** One table a channel. */
export type Tables = readonly Int32Array[];

/**
 * The tables that workers share through atomics, and who shares which: `global` one set for all, `per-warp`
 * one for each group of `plan.threads` workers. The other algorithms share none.
 */
export class SharedTables {
  readonly sets: readonly Tables[];
  readonly #group: number;

  constructor(plan: Plan, channels: number, workers: number) {
    this.#group = plan.algorithm === "global" ? workers : plan.algorithm === "per-warp" ? plan.threads : 0;
    const sets = this.#group === 0 ? 0 : Math.ceil(workers / this.#group);
    this.sets = Array.from({ length: sets }, () =>
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

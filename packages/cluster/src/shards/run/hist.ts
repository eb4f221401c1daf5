import type { Payload } from "../payload.ts";
import type { Task } from "../task.ts";
import { BinsCounter } from "./bins.ts";
import type { Counting, Rows, ShardCounter } from "./counter.ts";
import { groupsOf } from "./groups.ts";
import { StringsCounter } from "./strings.ts";

/** Counts each column of a task on its own. */
export class HistCounter implements ShardCounter {
  readonly #counters: readonly (BinsCounter | StringsCounter)[];
  #rows = 0;

  constructor({ columns }: Task, counting: Counting) {
    this.#counters = columns.map(({ axis }) =>
      axis === null ? new StringsCounter() : new BinsCounter(axis, counting),
    );
  }

  async add({ rows, columns, by }: Rows): Promise<void> {
    const groups = by === null ? null : groupsOf(by);
    this.#rows += rows;
    await Promise.all(this.#counters.map((counter, i) => counter.add(columns[i]!, groups)));
  }

  take(): Payload {
    return { count: "hist", rows: this.#rows, columns: this.#counters.map((counter) => counter.take()) };
  }
}

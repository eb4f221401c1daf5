import type { Chunk, CountsBatch, CountsChunk, ReadOptions, Table } from "@polybin/columns";
import type { Axis } from "@polybin/core";
import type { Payload } from "../payload.ts";
import type { Task } from "../task.ts";
import { BinsCounter } from "./bins.ts";
import type { Counting, Rows, ShardCounter } from "./counter.ts";
import { groupsOf } from "./groups.ts";
import { StringsCounter } from "./strings.ts";

/** Counts each column of a task on its own. */
export class HistCounter implements ShardCounter {
  readonly #counters: readonly (BinsCounter | StringsCounter)[];
  readonly #takesCounts: boolean;
  #rows = 0;

  constructor({ columns, by }: Task, counting: Counting) {
    this.#takesCounts = by === null && !counting.everyRow && columns.every(({ axis }) => takesCounts(axis));
    this.#counters = columns.map(({ axis }) =>
      axis === null ? new StringsCounter() : new BinsCounter(axis, counting),
    );
  }

  read(table: Table, options: ReadOptions): AsyncIterable<CountsBatch> | undefined {
    // The dictionaries of Parquet list values. Other formats would have to count them first, which is slower than the rows.
    return this.#takesCounts && table.format === "parquet" ? table.readCounts?.(options) : undefined;
  }

  async add({ rows, columns, by }: Rows<Chunk | CountsChunk>): Promise<void> {
    const groups = by === null ? null : groupsOf(by);
    this.#rows += rows;
    const one = (counter: BinsCounter | StringsCounter, chunk: Chunk | CountsChunk) =>
      "counts" in chunk ? counter.addCounted(chunk) : counter.add(chunk, groups);
    await Promise.all(this.#counters.map((counter, i) => one(counter, columns[i]!)));
  }

  take(): Payload {
    return { count: "hist", rows: this.#rows, columns: this.#counters.map((counter) => counter.take()) };
  }
}

/** Whether values that are listed with counts can be counted over an axis. Null: each string is. */
const takesCounts = (axis: Axis | null): boolean => axis?.type !== "category" && axis?.type !== "circular";

import type { Table } from "@polybin/columns";
import { type Opening, openInput, type Task } from "../shards/index.ts";

/** Tables that stay open while nobody reads them. */
const MAX_IDLE = 64;

/**
 * The tables that a worker keeps open between shards, since opening one reads its schema. A table has one reader at a time.
 * Whether its file has changed is checked for each shard, elsewhere.
 */
export class OpenTables {
  readonly #opening: Opening;
  /** Idle tables by what they were opened as, the longest unused first. */
  readonly #idle: { readonly key: string; readonly table: Table }[] = [];

  constructor(opening: Opening) {
    this.#opening = opening;
  }

  /** Runs work with the tables of some files of a task, which it must not close. */
  async use<T>(
    task: Task,
    files: readonly number[],
    signal: AbortSignal,
    work: (tables: readonly (Table | null)[]) => Promise<T>,
  ): Promise<T> {
    const taken: { key: string; table: Table }[] = [];
    const tables: (Table | null)[] = task.files.map(() => null);
    try {
      for (const file of files) {
        const { location, format, version } = task.files[file]!;
        // Two states of a file are two tables.
        const key = JSON.stringify([location, format, version, task.read]);
        const table =
          this.#take(key) ?? (await openInput(location, format, task.read, { ...this.#opening, signal }));
        taken.push({ key, table });
        tables[file] = table;
      }
      const result = await work(tables);
      this.#idle.push(...taken.splice(0));
      await Promise.all(
        this.#idle.splice(0, Math.max(0, this.#idle.length - MAX_IDLE)).map(({ table }) => table.close()),
      );
      return result;
    } finally {
      // A table that failed may be in any state.
      await Promise.allSettled(taken.map(({ table }) => table.close()));
    }
  }

  #take(key: string): Table | null {
    const found = this.#idle.findIndex((idle) => idle.key === key);
    return found < 0 ? null : this.#idle.splice(found, 1)[0]!.table;
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#idle.splice(0).map(({ table }) => table.close()));
  }
}

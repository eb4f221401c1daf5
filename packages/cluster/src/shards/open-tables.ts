import type { Table } from "@polybin/columns";
import { openInput, type ReadJson } from "./inputs.ts";
import type { Opening } from "./opening.ts";
import type { TaskFile } from "./task.ts";

interface Entry {
  readonly table: Promise<Table>;
  users: number;
}

/** Tables that stay open from one shard to the next, because opening one can take longer than counting a small shard. */
export class OpenTables implements AsyncDisposable {
  readonly #most: number;
  /** The table that was used last is the last one. */
  readonly #entries = new Map<string, Entry>();

  /** @param most tables that stay open without a user, at most. Default: 4 */
  constructor(most = 4) {
    this.#most = most;
  }

  /** Calls `use` with the table of a file in a certain state. Several calls may use one table at once. */
  async use<T>(
    file: TaskFile,
    read: ReadJson,
    opening: Opening,
    use: (table: Table) => Promise<T>,
  ): Promise<T> {
    const { signal: _, ...own } = opening;
    const key = JSON.stringify([file, read, own]);
    const entry = this.#entries.get(key) ?? {
      // The signal is that of one shard, and the table serves others, too.
      table: openInput(file.location, file.format, read, own),
      users: 0,
    };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.users += 1;
    try {
      return await use(await entry.table);
    } catch (error) {
      // A table that could not be opened, or not be read, is opened anew the next time.
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    } finally {
      entry.users -= 1;
      if (entry.users === 0 && this.#entries.get(key) !== entry) await closed(entry);
      await this.#trim();
    }
  }

  /** Closes the tables that nobody uses. */
  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(all.filter(({ users }) => users === 0).map(closed));
  }

  async #trim(): Promise<void> {
    const idle = [...this.#entries].filter(([, { users }]) => users === 0);
    const surplus = idle.slice(0, Math.max(0, idle.length - this.#most));
    for (const [key] of surplus) this.#entries.delete(key);
    await Promise.all(surplus.map(([, entry]) => closed(entry)));
  }
}

async function closed({ table }: Entry): Promise<void> {
  await table.then((open) => open.close()).catch(() => {});
}

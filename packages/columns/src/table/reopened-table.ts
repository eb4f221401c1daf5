import { lendOnce } from "./memory.ts";
import { canReread } from "./rereadable.ts";
import type { BadRows, Batch, CountsBatch, ReadCountsOptions, ReadOptions, Table } from "./types.ts";
import { WrappedTable } from "./wrapped-table.ts";

/** A table that is open only while it is read, because a process has a limit of open files. */
export class ReopenedTable extends WrappedTable {
  readonly readCounts?: NonNullable<Table["readCounts"]>;
  readonly #open: () => Promise<Table>;
  #ahead: Promise<Table> | null = null;
  #badRows: BadRows | null = null;

  /** @param first is closed. A table states its columns and parts afterwards, too */
  private constructor(first: Table, open: () => Promise<Table>) {
    super(first);
    this.#open = open;
    lendOnce(this, [first]);
    if (first.readCounts !== undefined) this.readCounts = (options) => this.#counts(options);
  }

  /**
   * Closes a table, and opens it again to read it. One that can be read only once stays open.
   * @param open opens the same table. @throws ERR_INPUT if it changed meanwhile
   */
  static async of(table: Table, open: () => Promise<Table>): Promise<Table> {
    if (!canReread(table)) return table;
    await table.close();
    return new ReopenedTable(table, open);
  }

  override get badRows(): BadRows | null {
    return this.#badRows;
  }

  /** Opens it for the next read. */
  openAhead(): void {
    if (this.#ahead !== null) return;
    this.#ahead = this.#open();
    // The error is that of the read.
    this.#ahead.catch(() => {});
  }

  async *read(options: ReadOptions = {}): AsyncGenerator<Batch> {
    yield* this.#using((table) => table.read(options));
  }

  async *#counts(options: ReadCountsOptions = {}): AsyncGenerator<CountsBatch> {
    yield* this.#using((table) => table.readCounts!(options));
  }

  async *#using<B>(read: (table: Table) => AsyncIterable<B>): AsyncGenerator<B> {
    const opened = this.#ahead ?? this.#open();
    this.#ahead = null;
    const table = await opened;
    try {
      yield* read(table);
    } finally {
      const { badRows } = table;
      if (badRows && badRows.rows >= (this.#badRows?.rows ?? 0)) this.#badRows = badRows;
      await table.close();
    }
  }

  override async close(): Promise<void> {
    const ahead = this.#ahead;
    this.#ahead = null;
    await ahead?.then((table) => table.close()).catch(() => {});
  }
}

import { canReread } from "./rereadable.ts";
import type { BadRows, Batch, ColumnInfo, Part, ReadOptions, Table } from "./types.ts";

/** A table that reads another one, and has what the other has. */
export abstract class WrappedTable implements Table {
  protected readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }

  get format(): string {
    return this.table.format;
  }

  get name(): string {
    return this.table.name;
  }

  get rows(): number | null {
    return this.table.rows;
  }

  get columns(): readonly ColumnInfo[] {
    return this.table.columns;
  }

  get parts(): readonly Part[] | null {
    return this.table.parts;
  }

  get rereadable(): boolean {
    return canReread(this.table);
  }

  get guessed(): Readonly<Record<string, unknown>> {
    return this.table.guessed ?? {};
  }

  get badRows(): BadRows | null {
    return this.table.badRows ?? null;
  }

  abstract read(options?: ReadOptions): AsyncIterable<Batch>;

  async close(): Promise<void> {
    await this.table.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

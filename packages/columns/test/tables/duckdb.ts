import { DuckDBInstance } from "@duckdb/node-api";

/** An open DuckDB, which writes tables and knows their values. */
export interface Duck extends AsyncDisposable {
  run(sql: string): Promise<unknown>;
  /** Returns the first column of the answer as texts. */
  column(sql: string): Promise<(string | null)[]>;
}

/** Opens a DuckDB in memory. It has one thread, so that it writes the same file each time. */
export async function openDuck(): Promise<Duck> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  return {
    run: (sql) => connection.run(sql),
    async column(sql) {
      const rows = await (await connection.runAndReadAll(sql)).getRows();
      return rows.map(([value]) => (value === null ? null : String(value)));
    },
    async [Symbol.asyncDispose]() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

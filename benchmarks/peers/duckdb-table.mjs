// A peer: DuckDB runs queries over files, one after the other. node duckdb-table.mjs PEERS QUERY…
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...queries] = process.argv.slice(2);
const { resolve } = createRequire(join(folder, "package.json"));
const { DuckDBInstance } = await import(pathToFileURL(resolve("@duckdb/node-api")).href);
const connection = await (await DuckDBInstance.create(":memory:")).connect();
for (const query of queries) {
  const rows = (await connection.runAndReadAll(query)).getRowsJson();
  process.stdout.write(`${JSON.stringify(rows)}\n`);
}

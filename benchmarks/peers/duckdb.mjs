// A peer: DuckDB's GROUP BY over one column in memory. See peer.mjs.
import { DuckDBInstance } from "@duckdb/node-api";
import { job, serve } from "./peer.mjs";

const COLUMNS = {
  u8: ["UTINYINT", "appendUTinyInt"],
  u16: ["USMALLINT", "appendUSmallInt"],
  i16: ["SMALLINT", "appendSmallInt"],
  i32: ["INTEGER", "appendInteger"],
  u32: ["UINTEGER", "appendUInteger"],
  f32: ["FLOAT", "appendFloat"],
  f64: ["DOUBLE", "appendDouble"],
};

const { type, bins, lo, hi, groups } = job;
const [column, append] = COLUMNS[type];
const isBytes = type === "u8" && bins === 256;
// A difference may not fit a signed type.
const value = lo < 0 ? "CAST(v AS DOUBLE)" : "v";
const bin = isBytes ? "v" : `CAST(floor((${value} - ${lo}) * ${bins / (hi - lo)}) AS INTEGER)`;
const database = await (await DuckDBInstance.create(":memory:")).connect();
let rows = [];

await serve({
  load: async ([values = []], _, codes) => {
    await database.run(`CREATE OR REPLACE TABLE samples (v ${column}, g USMALLINT)`);
    const appender = await database.createAppender("samples");
    for (let i = 0; i < values.length; i++) {
      appender[append](values[i]);
      appender.appendUSmallInt(codes === null ? 0 : codes[i]);
      appender.endRow();
    }
    appender.closeSync();
  },
  count: async () => {
    const cell = groups > 0 ? `CAST(g AS INTEGER) * ${bins} + ${bin}` : bin;
    const reader = await database.runAndReadAll(
      `SELECT ${cell} AS cell, count(*) FROM samples GROUP BY cell`,
    );
    rows = reader.getRows();
  },
  counts: () => {
    const found = new Array(bins * Math.max(groups, 1)).fill(0);
    for (const [index, count] of rows) found[Number(index)] = Number(count);
    return found;
  },
});

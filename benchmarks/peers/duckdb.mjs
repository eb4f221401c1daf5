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

const { type, bins, lo, hi } = job;
const [column, append] = COLUMNS[type];
const isBytes = type === "u8" && bins === 256;
// A difference may not fit a signed type.
const value = lo < 0 ? "CAST(v AS DOUBLE)" : "v";
const bin = isBytes ? "v" : `CAST(floor((${value} - ${lo}) * ${bins / (hi - lo)}) AS INTEGER)`;
const database = await (await DuckDBInstance.create(":memory:")).connect();
let rows = [];

await serve({
  load: async ([values = []]) => {
    await database.run(`CREATE OR REPLACE TABLE samples (v ${column})`);
    const appender = await database.createAppender("samples");
    for (const value of values) {
      appender[append](value);
      appender.endRow();
    }
    appender.closeSync();
  },
  count: async () => {
    const reader = await database.runAndReadAll(`SELECT ${bin} AS bin, count(*) FROM samples GROUP BY bin`);
    rows = reader.getRows();
  },
  counts: () => {
    const found = new Array(bins).fill(0);
    for (const [index, count] of rows) found[Number(index)] = Number(count);
    return found;
  },
});

// Measures how fast Parquet is decoded: by openTable in the calling thread, and by hyparquet's own pages of values.
//   node scripts/parquet-decoders.mjs [ROWS [CODEC]]      default: 2000000 snappy
// DuckDB writes the file. Each number is the median of five runs per second of processor time, after two others.
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, cpuUsage } from "node:process";
import { DuckDBInstance } from "@duckdb/node-api";
import { parquetMetadata, parquetRead } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { openTable } from "../dist/index.js";

const ROWS = Number(argv[2] ?? 2_000_000);
const CODEC = argv[3] ?? "snappy";
const COLUMNS = {
  i32: "(random() * 1e9)::int",
  i64: "(random() * 9e18)::bigint",
  f64: "random()",
  "f64 with nulls": "case when random() < 0.1 then null else random() end",
  "i64, 1,000 values": "(random() * 1000)::bigint",
  "decimal(12, 2)": "(random() * 1e6)::decimal(12, 2)",
  "timestamp[us]": "timestamp '2020-01-01' + to_microseconds((random() * 1e14)::bigint)",
  boolean: "random() < 0.5",
  "strings, 200 different": "'country ' || (random() * 200)::int",
  "strings, all different": "uuid()::varchar",
};

const folder = mkdtempSync(join(tmpdir(), "polybin-parquet-"));
const path = join(folder, "columns.parquet");
const db = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
const select = Object.entries(COLUMNS).map(([name, sql]) => `${sql} as "${name}"`);
await db.run(
  `copy (select ${select.join(", ")} from range(${ROWS})) to '${path}' (format parquet, compression ${CODEC})`,
);

/** The seconds of processor time that a run takes. */
async function seconds(run) {
  const times = [];
  for (let i = 0; i < 7; i++) {
    const start = cpuUsage();
    await run();
    const { user, system } = cpuUsage(start);
    if (i > 1) times.push((user + system) / 1e6);
  }
  return times.sort((a, b) => a - b)[2];
}

await using table = await openTable(path, { threads: 0 });
const bytes = readFileSync(path);
const metadata = parquetMetadata(bytes);
const file = {
  byteLength: bytes.length,
  slice: (start, end) => bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + end),
};
const lines = {};
for (const name of Object.keys(COLUMNS)) {
  let size = 0;
  const own = await seconds(async () => {
    size = 0;
    for await (const { columns } of table.read({ columns: [name] }))
      size += (columns[0].values ?? columns[0].codes).byteLength;
  });
  const theirs = await seconds(() =>
    parquetRead({ file, metadata, columns: [name], compressors, onPage() {} }),
  );
  lines[name] = {
    "polybin, million rows/s": Number((ROWS / own / 1e6).toFixed(1)),
    "polybin, MB/s": Math.round(size / own / 1e6),
    "hyparquet, million rows/s": Number((ROWS / theirs / 1e6).toFixed(1)),
  };
}
console.table(lines);
console.log(`${ROWS} rows, ${CODEC}, ${(statSync(path).size / 1e6).toFixed(0)} MB`);
rmSync(folder, { recursive: true });

// Times the profile of a Parquet file next to decoding its columns once, and to DuckDB's SUMMARIZE and histogram. Each
// measurement runs in a process of its own, which reports its time, its processor time and its peak memory.
//
//   node scripts/profile.mjs [--rows N] [--file PATH] [--threads N] [--runs N] [--no-duckdb]
//
// The figures are medians of turns. One turn measures everything once. Compare processor times: those by the clock
// depend on what else the machine does.
//
// Without a file at PATH (default: a temporary one), DuckDB writes one with the given number of rows first: 40 million are
// 1.4 GB, 300 million about 10 GB.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openTable } from "@polybin/columns";
import { profile } from "@polybin/columns/profile";
import { openEngine } from "@polybin/core";
import { piscina } from "@polybin/piscina";

const { values: given } = parseArgs({
  options: {
    rows: { type: "string", default: "40000000" },
    file: { type: "string" },
    threads: { type: "string", default: String(availableParallelism()) },
    runs: { type: "string", default: "3" },
    part: { type: "string" },
    duckdb: { type: "boolean", default: true },
  },
  allowNegative: true,
});
const threads = Number(given.threads);
const file = given.file ?? join(tmpdir(), `polybin-profile-${given.rows}.parquet`);

async function duckdb() {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", { threads: String(threads) });
  return instance.connect();
}

/** Trips of taxis: integers, times, prices, a decimal, a category and a boolean. */
async function write() {
  const connection = await duckdb();
  await connection.run("set preserve_insertion_order = false");
  await connection.run(`copy (select
    (i % 2 + 1)::integer as vendor,
    make_timestamp(1704067200000000 + i * 60000 + (random() * 1e9)::bigint) as pickup,
    make_timestamp(1704067200000000 + i * 60000 + (random() * 4e9)::bigint) as dropoff,
    case when random() < 0.05 then null else (1 + floor(random() * random() * 6))::bigint end as passengers,
    round(exp(random() * 4 - 1) + random() * random(), 2) as distance,
    (case when random() < 0.9 then 1 else 1 + floor(random() * 6) end)::smallint as rate,
    case when random() < 0.01 then 'Y' else 'N' end as stored,
    (1 + floor(263 * random()))::integer as pickup_zone,
    (1 + floor(263 * random() * random()))::integer as dropoff_zone,
    round(3 + random() * random() * 80, 2) as fare,
    case when random() < 0.3 then 0 else round(random() * 15, 2) end as tip,
    (random() * 100)::float as score,
    round(random() * 200, 6) as total,
    (round(random() * 90, 2))::decimal(9, 2) as tolls,
    random() < 0.3 as shared
    from range(${given.rows}) numbers(i)) to '${file}' (format parquet, compression snappy)`);
}

/** A table whose file states nothing about its values. */
function unstated(table) {
  const parts = table.parts.map((part) => ({ ...part, rows: part.rows, statistics: () => null }));
  return {
    ...table,
    format: table.format,
    name: table.name,
    rows: table.rows,
    columns: table.columns,
    parts,
    read: (options) => table.read(options),
    readCounts: table.readCounts && ((options) => table.readCounts(options)),
  };
}

async function profiled(options, wrap = (table) => table) {
  // One thread counts where the batches lie; the others decode.
  const engine = await openEngine({ backend: piscina({ threads: 1 }) });
  const table = await openTable(file, { threads });
  const { passes } = await profile(engine, [wrap(table)], options);
  await table.close();
  await engine.close();
  return { passes };
}

const PARTS = {
  decode: async () => {
    const table = await openTable(file, { threads });
    for await (const _ of table.read());
    await table.close();
  },
  "profile, statistics give the ranges": () => profiled({ distinctLimit: 0 }),
  "profile, two passes": () => profiled({ distinctLimit: 0, keepBytes: 0 }, unstated),
  "profile, with different and top values": () => profiled({}),
  "DuckDB SUMMARIZE": async () => {
    const connection = await duckdb();
    await connection.runAndReadAll(`summarize from '${file}'`);
  },
  "DuckDB histogram of the numbers": async () => {
    const connection = await duckdb();
    const numbers = [
      "passengers",
      "distance",
      "rate",
      "pickup_zone",
      "dropoff_zone",
      "fare",
      "tip",
      "score",
      "total",
    ];
    const counts = numbers.map(
      (name) => `histogram(${name}, equi_width_bins(0::double, 300::double, 256, false))`,
    );
    await connection.runAndReadAll(`select ${counts.join(", ")} from '${file}'`);
  },
};

async function measure(part) {
  const start = performance.now();
  const before = process.cpuUsage();
  const found = await PARTS[part]();
  const { user, system } = process.cpuUsage(before);
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"));
  const cpuMs = (user + system) / 1e3;
  process.stdout.write(
    JSON.stringify({ ms: performance.now() - start, cpuMs, megabytes: kilobytes / 1024, ...found }),
  );
}

async function inProcess(part) {
  const args = [
    fileURLToPath(import.meta.url),
    "--part",
    part,
    "--file",
    file,
    "--threads",
    String(threads),
    "--rows",
    given.rows,
  ];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (code !== 0) throw new Error(`${part} ended with ${code}`);
  return JSON.parse(printed);
}

if (given.part !== undefined) await measure(given.part);
else {
  if (!existsSync(file)) await write();
  const gigabytes = statSync(file).size / 1e9;
  console.log(`${file}: ${gigabytes.toFixed(2)} GB, ${threads} threads, medians of ${given.runs} turns\n`);
  const parts = Object.keys(PARTS).filter((part) => given.duckdb || !part.startsWith("DuckDB"));
  const found = new Map(parts.map((part) => [part, []]));
  for (let turn = 0; turn < Number(given.runs); turn++) {
    for (const part of parts) found.get(part).push(await inProcess(part));
  }
  const median = (part, of) =>
    found
      .get(part)
      .map((one) => one[of])
      .sort((a, b) => a - b)[Number(given.runs) >> 1];
  console.log("| | processor seconds | of decoding | seconds | peak MB |\n|---|---|---|---|---|");
  for (const part of parts) {
    const cpu = median(part, "cpuMs");
    const numbers = [cpu / 1e3, cpu / median("decode", "cpuMs"), median(part, "ms") / 1e3];
    const texts = numbers.map((number) => number.toFixed(2));
    console.log(`| ${part} | ${texts.join(" | ")} | ${median(part, "megabytes").toFixed(0)} |`);
  }
}

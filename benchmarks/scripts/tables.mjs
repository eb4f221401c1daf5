// Times what people do with tables, from the shell: polybin's command, DuckDB's and Polars' packages for Node, and
// pyarrow. Each run is a process of its own. It is measured by the clock, by its processor time and by its peak memory.
//
//   node benchmarks/scripts/tables.mjs [--gigabytes N] [--runs N] [--folder DIR] [--peers DIR] [--only WORDS] [--out FILE]
//
// --folder keeps the files of trips, which are written once. --peers is a folder in which npm has installed nodejs-polars
// and @duckdb/node-api. python3 has pyarrow. The programs take turns, and the figures are medians. Before each run, the file is
// read once, so that no program pays for the disk alone. Result: results/MACHINE/tables.json.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { machineFile } from "../src/runner/machine.ts";
import { Report } from "../src/runner/report.ts";
import { writeTrips } from "./trips.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const { values: given } = parseArgs({
  options: {
    gigabytes: { type: "string", default: "1" },
    runs: { type: "string", default: "5" },
    folder: { type: "string", default: join(tmpdir(), "polybin-tables") },
    peers: { type: "string", default: here("..") },
    only: { type: "string", default: "" },
    out: { type: "string", default: machineFile("tables") },
  },
});
const GIGABYTE = 1e9;
const SMALL = 11e6;
const BINS = 256;

/** The bytes of a file of a format. A file of Parquet has the rows of the CSV file. */
const SIZES = {
  csv: Number(given.gigabytes) * GIGABYTE,
  jsonl: Number(given.gigabytes) * GIGABYTE,
  small: SMALL,
};

const polybin = (...args) => [here("../../apps/cli/dist/main.js"), ...args];
const duckdb = (...queries) => [here("../peers/duckdb-table.mjs"), given.peers, ...queries];
const polars = (what, file) => [here("../peers/polars-table.mjs"), given.peers, what, file];
const pyarrow = (file) => [here("../peers/pyarrow_table.py"), file];

/** A histogram of a column in DuckDB: over the range of the data, or a given one. */
function column(from, [lo, hi] = []) {
  const range =
    lo === undefined
      ? `(select min(fare) as lo, max(fare) as hi from ${from})`
      : `(select ${lo} as lo, ${hi} as hi)`;
  return `select least(${BINS - 1}, floor((fare - lo) / (hi - lo) * ${BINS}))::int as bin, count(*) from ${from}, ${range} where fare between lo and hi group by bin`;
}

function cases(files) {
  const from = {
    csv: `read_csv('${files.csv}')`,
    jsonl: `read_json('${files.jsonl}', format = 'newline_delimited')`,
    parquet: `'${files.parquet}'`,
    small: `read_csv('${files.small}')`,
  };
  const histogram = (name, format) => ({
    what: `${name}, a column's histogram`,
    file: files[format],
    programs: {
      polybin: polybin("hist", files[format], "--column", "fare", "--json"),
      DuckDB: duckdb(column(from[format])),
      Polars: polars("histogram", files[format]),
      pyarrow: pyarrow(files[format]),
    },
  });
  const profile = (name, format) => ({
    what: `${name}, profile`,
    file: files[format],
    programs: {
      polybin: polybin("profile", files[format], "--json"),
      "polybin without distinct values": polybin("profile", files[format], "--distinct-limit", "0", "--json"),
      "DuckDB SUMMARIZE": duckdb(`summarize from ${from[format]}`),
      "Polars describe": polars("describe", files[format]),
    },
  });
  return [
    histogram("CSV of 11 MB", "small"),
    histogram("CSV", "csv"),
    {
      what: "CSV, a column's histogram over a range",
      file: files.csv,
      programs: {
        polybin: polybin("hist", files.csv, "--column", "fare", "--range", "0,100", "--json"),
        DuckDB: duckdb(column(from.csv, [0, 100])),
      },
    },
    histogram("JSON lines", "jsonl"),
    histogram("Parquet", "parquet"),
    profile("CSV", "csv"),
    profile("Parquet", "parquet"),
    {
      what: "Parquet, every column decoded",
      file: files.parquet,
      programs: { polybin: [here("decode.mjs"), files.parquet] },
    },
    {
      what: "Parquet, a column's histogram, 10 times in one process",
      file: files.parquet,
      programs: {
        polybin: [here("repeat.mjs"), files.parquet],
        DuckDB: duckdb(...new Array(10).fill(column(from.parquet))),
      },
    },
  ];
}

const piece = Buffer.allocUnsafeSlow(2 ** 20);

/** Reads a file, so that the system keeps in memory what fits. */
function warm(file) {
  const descriptor = openSync(file);
  while (readSync(descriptor, piece) > 0);
  closeSync(descriptor);
}

/** Runs a program once. @returns what it took, or why it failed */
async function measured(args) {
  const start = performance.now();
  // A program in Python reports its usage itself.
  const isPython = args[0].endsWith(".py");
  const [program, own] = isPython ? ["python3", []] : [process.execPath, [`--import=${here("usage.mjs")}`]];
  const child = spawn(program, [...own, ...args], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const [printed, used, [code]] = await Promise.all([
    text(child.stderr),
    buffer(child.stdio[3]),
    once(child, "close"),
  ]);
  const ms = performance.now() - start;
  if (code !== 0) return { failed: printed.trim().split("\n").at(-1) };
  return { ms, ...JSON.parse(used.toString()) };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

mkdirSync(given.folder, { recursive: true });
const files = await writeTrips(given.folder, SIZES, given.peers);
const report = new Report(given.out, null);
const words = given.only.split(",");
const found = [];
for (const { what, file, programs } of cases(files)) {
  if (!words.some((word) => what.includes(word))) continue;
  const runs = new Map(Object.keys(programs).map((name) => [name, []]));
  for (let turn = 0; turn < Number(given.runs); turn++) {
    for (const [name, args] of Object.entries(programs)) {
      const own = runs.get(name);
      if (own === null) continue;
      warm(file);
      const one = await measured(args);
      if (one.failed === undefined) own.push(one);
      else {
        runs.set(name, null);
        report.miss(`${what}, ${name}: ${one.failed}`);
      }
    }
  }
  for (const [program, own] of runs) {
    if (own === null) continue;
    const of = (key) => median(own.map((one) => one[key]));
    const row = {
      what,
      bytes: statSync(file).size,
      program,
      runs: own.length,
      ms: of("ms"),
      cpuMs: of("cpuMs"),
      megabytes: of("megabytes"),
    };
    found.push(row);
    console.log(
      `${what}: ${program}: ${(row.ms / 1e3).toFixed(2)} s, ${(row.cpuMs / 1e3).toFixed(2)} s of processor, ${row.megabytes.toFixed(0)} MB`,
    );
  }
  report.note("tables", found);
}
report.save();

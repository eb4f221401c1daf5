// Files of taxi trips, the same rows on every run: CSV, JSON lines and Parquet.
import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";

const ZONES = 263;
const PIECE = 20_000;
/** Bytes after which the rows repeat. */
const DIFFERENT = 1e9;
const FIRST = Date.UTC(2024, 0, 1);

/** Numbers from 0 to 1, the same sequence on every run. */
function randoms(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const NAMES = [
  "vendor",
  "pickup",
  "dropoff",
  "passengers",
  "distance",
  "rate",
  "stored",
  "pickup_zone",
  "dropoff_zone",
  "payment",
  "fare",
  "tip",
  "tolls",
  "total",
  "shared",
];

function trip(i, random) {
  const start = FIRST + i * 300;
  const distance = Math.round(Math.exp(random() * 4 - 1) * 100) / 100;
  const fare = Math.round((3 + distance * 2.5 + random() * 10) * 100) / 100;
  const tip = random() < 0.3 ? 0 : Math.round(fare * random() * 30) / 100;
  const tolls = random() < 0.9 ? 0 : 6.55;
  const time = (ms) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");
  return [
    1 + (i % 2),
    time(start),
    time(start + distance * 240_000),
    random() < 0.05 ? null : 1 + Math.floor(random() * random() * 6),
    distance,
    random() < 0.9 ? 1 : 1 + Math.floor(random() * 6),
    random() < 0.01 ? "Y" : "N",
    1 + Math.floor(ZONES * random()),
    1 + Math.floor(ZONES * random() * random()),
    ["Credit card", "Cash", "No charge", "Dispute"][Math.floor(random() * random() * 4)],
    fare,
    tip,
    tolls,
    Math.round((fare + tip + tolls) * 100) / 100,
    random() < 0.3,
  ];
}

const LINES = {
  csv: (values) => values.map((value) => value ?? "").join(","),
  jsonl: (values) => JSON.stringify(Object.fromEntries(values.map((value, i) => [NAMES[i], value]))),
};

async function writeText(path, format, bytes) {
  const out = createWriteStream(`${path}.part`);
  const random = randoms(7);
  const [most, head] = [Math.min(bytes, DIFFERENT), format === "csv" ? `${NAMES.join(",")}\n` : ""];
  out.write(head);
  let [rows, written] = [0, head.length];
  while (written < most) {
    const lines = Array.from({ length: PIECE }, () => LINES[format](trip(rows++, random)));
    const piece = `${lines.join("\n")}\n`;
    written += piece.length;
    if (!out.write(piece)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
  const body = { start: head.length, end: written - 1 };
  for (let all = written; all < bytes; all += written - head.length) {
    await pipeline(createReadStream(`${path}.part`, body), createWriteStream(`${path}.part`, { flags: "a" }));
  }
  renameSync(`${path}.part`, path);
}

/** Writes the files that are missing. Parquet has the rows of the CSV file, and DuckDB writes it. */
export async function writeTrips(folder, sizes, peers) {
  const name = (of, ending) => join(folder, `trips-${of}.${ending}`);
  const files = {
    csv: name(sizes.csv, "csv"),
    jsonl: name(sizes.jsonl, "jsonl"),
    small: name(sizes.small, "csv"),
    parquet: name(sizes.csv, "parquet"),
  };
  for (const [of, format] of [
    ["csv", "csv"],
    ["jsonl", "jsonl"],
    ["small", "csv"],
  ]) {
    if (!existsSync(files[of])) await writeText(files[of], format, sizes[of]);
  }
  if (!existsSync(files.parquet)) {
    const { resolve } = createRequire(join(peers, "package.json"));
    const { DuckDBInstance } = await import(pathToFileURL(resolve("@duckdb/node-api")).href);
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    await connection.run("set preserve_insertion_order = false");
    await connection.run(
      `copy (from read_csv('${files.csv}')) to '${files.parquet}' (format parquet, compression snappy)`,
    );
  }
  return files;
}

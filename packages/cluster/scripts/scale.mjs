// Measures the cluster on this machine: 1,000 shards on 1, 2, 4 and 8 worker processes, next to one process without a queue.
// Compares the bits of all results, and the times with the model of docs/internals/scale.md.
//
//   node packages/cluster/scripts/scale.mjs [--shards 1000] [--mib 64] [--workers 1,2,4,8] [--write]
//
// --write replaces the tables of docs/internals/scale.md. The packages must be built, and redis-server must be on the path.
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openEngine, regular } from "@polybin/core";
import { Redis } from "ioredis";
import { Cluster, endWithParent, openWorker } from "../dist/index.js";
import { addressOf } from "../dist/queue/connect.js";
import { ownRedis } from "../dist/queue/local/redis.js";
import { encodePartial, Inputs, mergePartials, planTask, runShard, shardsOf } from "../dist/shards/index.js";

const MIB = 1_048_576;
const page = new URL("../../../docs/internals/scale.md", import.meta.url);
const { values: given } = parseArgs({
  options: {
    shards: { type: "string", default: "1000" },
    mib: { type: "string", default: "64" },
    workers: { type: "string", default: "1,2,4,8" },
    write: { type: "boolean", default: false },
    worker: { type: "string" },
  },
});
const SHARDS = Number(given.shards);
const WORKERS = given.workers.split(",").map(Number);

if (given.worker !== undefined) await serve(given.worker);
else await measure();

/** A worker process. It reports its processor time when it is asked. */
async function serve(folder) {
  await openWorker({ engine: await openEngine(), allow: [folder], threads: 0 });
  endWithParent();
  process.on("message", () => process.send(cpuSeconds()));
  process.send("ready");
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "polybin-scale-"));
  try {
    const rows = [];
    const sizes = [
      { name: "small", bytes: SHARDS * 4096 },
      { name: "large", bytes: Number(given.mib) * MIB },
    ];
    for (const { name, bytes } of sizes) rows.push(...(await measureFile(folder, name, bytes)));
    const text = tables(rows);
    console.log(text);
    if (given.write) write(text);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Numbers of a generator as CSV, so that every run counts the same. */
function writeNumbers(path, bytes) {
  const file = openSync(path, "w");
  let state = 1;
  let size = writeSync(file, "value\n");
  while (size < bytes) {
    const lines = Array.from({ length: 10_000 }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return `${(state / 2 ** 32).toFixed(9)}\n`;
    });
    size += writeSync(file, lines.join("").slice(0, Math.floor((bytes - size) / 12 + 1) * 12));
  }
  closeSync(file);
  return size;
}

async function measureFile(folder, name, wanted) {
  const path = join(folder, `${name}.csv`);
  const bytes = writeNumbers(path, wanted);
  await using inputs = await Inputs.open([path], {
    read: { partBytes: Math.ceil(bytes / SHARDS) },
    threads: 0,
  });
  const task = planTask(inputs, {
    count: "hist",
    columns: [{ name: "value", axis: { axis: regular(256, 0, 1) } }],
  });
  const shards = shardsOf(task, inputs.tables, { shards: SHARDS });
  const alone = await inOneProcess(task, shards, inputs.tables);
  console.error(name, "alone", alone.seconds.toFixed(2));
  const rows = [{ name, bytes, workers: 0, ...alone }];
  const warm = shardsOf(task, inputs.tables, { shards: 20 });
  for (const workers of WORKERS) {
    const row = await onWorkers(folder, task, { shards, warm }, workers);
    if (row.hash !== alone.hash) throw new Error(`${workers} workers: other bits than one process`);
    console.error(name, workers, row.seconds.toFixed(2));
    rows.push({ name, bytes, workers, ...row });
  }
  return rows;
}

function hashOf(partial) {
  return createHash("sha256").update(encodePartial(partial)).digest("hex");
}

async function inOneProcess(task, shards, tables) {
  await using engine = await openEngine();
  const count = async (some) => {
    const partials = [];
    for (const shard of some) partials.push(await runShard(engine, task, shard, { threads: 0, tables }));
    return partials;
  };
  await count(shards.slice(0, 50));
  const before = cpuSeconds();
  const start = performance.now();
  const hash = hashOf(await mergePartials(await count(shards), task));
  return {
    seconds: (performance.now() - start) / 1e3,
    hash,
    cpu: { workers: cpuSeconds() - before, redis: 0, client: 0 },
  };
}

async function onWorkers(folder, task, { shards, warm }, count) {
  const own = await ownRedis();
  process.env.POLYBIN_REDIS_PASSWORD = own.password;
  process.env.POLYBIN_REDIS_URL = own.url;
  const redis = new Redis(addressOf(own.url).options);
  const workers = Array.from({ length: count }, () =>
    fork(fileURLToPath(import.meta.url), ["--worker", folder], { stdio: "inherit" }),
  );
  try {
    await Promise.all(workers.map((worker) => once(worker, "message")));
    const busy = () =>
      Promise.all(
        workers.map(async (worker) => {
          worker.send("cpu");
          return (await once(worker, "message"))[0];
        }),
      ).then((all) => all.reduce((sum, seconds) => sum + seconds, 0));
    await using cluster = await Cluster.open();
    // Code that runs for the first time is slow.
    await cluster.count(task, warm, { name: "warm" });
    const before = { workers: await busy(), client: cpuSeconds(), ...(await statistics(redis)) };
    const start = performance.now();
    const partial = await cluster.count(task, shards, { name: "measured" });
    const seconds = (performance.now() - start) / 1e3;
    const after = { workers: await busy(), client: cpuSeconds(), ...(await statistics(redis)) };
    const gained = (field) => after[field] - before[field];
    return {
      seconds,
      hash: hashOf(partial),
      cpu: { workers: gained("workers"), redis: gained("redis"), client: gained("client") },
      commands: gained("commands"),
      network: gained("network"),
      memory: after.memory,
      appended: gained("appended"),
    };
  } finally {
    for (const worker of workers) worker.kill();
    redis.disconnect();
    await own.close();
  }
}

/** Redis's own counters. */
async function statistics(redis) {
  const text = await redis.info();
  const number = (name) => Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(text)[1]);
  return {
    redis: number("used_cpu_user") + number("used_cpu_sys"),
    commands: number("total_commands_processed"),
    network: number("total_net_input_bytes") + number("total_net_output_bytes"),
    memory: number("used_memory_peak"),
    appended: number("aof_current_size"),
  };
}

function ms(seconds) {
  return ((1e3 * seconds) / SHARDS).toFixed(2);
}
function kib(bytes) {
  return (bytes / SHARDS / 1024).toFixed(1);
}

/** The model: processor time of a shard, divided by the cores that can work on it. */
function predicted(one, workers) {
  const { cpu } = one;
  const all = cpu.workers + cpu.redis + cpu.client;
  return Math.max(cpu.workers / workers, all / availableParallelism());
}

function tables(rows) {
  const of = (name) => rows.filter((row) => row.name === name);
  const lines = [];
  for (const name of ["small", "large"]) {
    const [alone, ...others] = of(name);
    const one = others.find(({ workers }) => workers === 1) ?? others[0];
    lines.push(
      `${SHARDS.toLocaleString("en-US")} shards of ${(alone.bytes / SHARDS / 1024).toLocaleString("en-US", { maximumFractionDigits: 0 })} KiB:`,
      "",
      "| workers | seconds | by the model | per shard, ms | more than without a queue, ms | CPU of workers, Redis, client per shard, ms | commands of Redis per shard, those inside scripts included | KiB to and from Redis per shard |",
      "|---|---|---|---|---|---|---|---|",
      `| none: one process | ${alone.seconds.toFixed(2)} | | ${ms(alone.seconds)} | | ${ms(alone.cpu.workers)} | | |`,
    );
    for (const row of others) {
      const { cpu } = row;
      lines.push(
        `| ${[
          row.workers,
          row.seconds.toFixed(2),
          predicted(one, row.workers).toFixed(2),
          ms(row.seconds),
          ms(row.seconds - alone.seconds),
          `${ms(cpu.workers)}, ${ms(cpu.redis)}, ${ms(cpu.client)}`,
          (row.commands / SHARDS).toFixed(1),
          kib(row.network),
        ].join(" | ")} |`,
      );
    }
    const last = others.at(-1);
    lines.push(
      "",
      `All results have the same bits. Redis used ${(last.memory / MIB).toFixed(1)} MiB at most, and appended ${kib(last.appended)} KiB per shard to its file.`,
      "",
    );
  }
  lines.push(`Machine: ${availableParallelism()} cores of ${cpus()[0].model}, Node ${process.version}.`);
  return lines.join("\n");
}

function write(text) {
  const before = readFileSync(page, "utf8");
  const [begin, end] = [
    "<!-- measured: made by node packages/cluster/scripts/scale.mjs --write -->",
    "<!-- end of measured -->",
  ];
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error("docs/internals/scale.md has no place for the tables");
  writeFileSync(page, `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`);
}

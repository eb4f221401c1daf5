import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Engine, openEngine, regular } from "@polybin/core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { Cluster } from "../../src/queue/index.ts";
import { finish, Inputs, planTask, runShard, shardsOf, type TaskResult } from "../../src/shards/index.ts";
import { noRedis, TestRedis } from "../redis.ts";
import { csvOf, random, rowsOf } from "../rows.ts";
import { kill, Workers } from "./workers.ts";

const SHARDS = 1000;
const KILLS = 20;
const RESTARTS = 3;
/** Short, so that what a killed worker had is taken over soon. */
const LOCK_MS = 600;

let engine: Engine;
let folder: string;
let inputs: Inputs;
beforeAll(async () => {
  if (noRedis) return;
  engine = await openEngine();
  folder = mkdtempSync(join(tmpdir(), "polybin-chaos-"));
  const path = join(folder, "rows.csv");
  writeFileSync(path, csvOf(rowsOf(20_000)));
  inputs = await Inputs.open([path], { read: { partBytes: 512 }, threads: 0 });
});
afterAll(async () => {
  await inputs?.[Symbol.asyncDispose]();
  await engine?.close();
  if (folder) rmSync(folder, { recursive: true });
});
beforeEach(({ skip }) => {
  if (noRedis) skip(noRedis);
});

const program = new URL("table-worker.ts", import.meta.url);

/** A request of its own for each number of bins, so that nothing is kept of an earlier one. */
const columnsOf = (bins: number) => [{ name: "price", axis: { axis: regular(bins, -20, 80) } }];

/** The counts of one process and one shard. */
async function alone(bins: number): Promise<TaskResult> {
  const task = planTask(inputs, { count: "hist", columns: columnsOf(bins), by: "country" });
  const [shard] = shardsOf(task, inputs.tables, { shards: 1 });
  return finish(task, await runShard(engine, task, shard!, { threads: 0, tables: inputs.tables }));
}

async function check(cluster: Cluster, bins: number): Promise<void> {
  const { result } = await cluster.hist({
    inputs,
    columns: columnsOf(bins),
    by: "country",
    cut: { shards: SHARDS },
    width: 8,
  });
  const expected = await alone(bins);
  expect(JSON.stringify(result)).toBe(JSON.stringify(expected));
  expect(expected.rows).toBe(20_000);
}

it("counts 1,000 shards on 1, 2 and 4 processes to the same bits as one process", async () => {
  await using redis = await TestRedis.start();
  await using workers = new Workers(program, [folder, "30000"], { POLYBIN_REDIS_URL: redis.url });
  await using cluster = await Cluster.open({ redis: redis.url });
  for (const processes of [1, 2, 4]) {
    while (workers.running.length < processes) await workers.start();
    await check(cluster, 10 + processes);
  }
});

it("is exact while 20 workers are killed, Redis restarts 3 times and a worker is paused past its lock", async () => {
  await using redis = await TestRedis.start();
  await using workers = new Workers(program, [folder, String(LOCK_MS)], { POLYBIN_REDIS_URL: redis.url });
  await Promise.all([workers.start(), workers.start(), workers.start()]);
  await using cluster = await Cluster.open({ redis: redis.url });
  const paused = workers.running[0]!;
  const next = random(7);
  let kills = 0;
  let restarts = 0;

  const disturb = async (): Promise<void> => {
    for (; kills < KILLS; kills++) {
      if (kills === 2) paused.kill("SIGSTOP");
      // Far past its lock, so that another worker has its shards.
      if (kills === 10) paused.kill("SIGCONT");
      if (kills % 7 === 4) {
        await redis.down(restarts === 1 ? "SIGTERM" : "SIGKILL");
        await sleep(50);
        await redis.up();
        restarts++;
      }
      const others = workers.running.filter((worker) => worker !== paused);
      await kill(others[Math.floor(next() * others.length)]!);
      await workers.start();
    }
  };
  const disturbed = disturb();
  let jobs = 0;
  // As many requests as the disturbance lasts, and the last one ends after it.
  for (let ended = false; !ended; jobs++) {
    ended = kills === KILLS;
    await check(cluster, 100 + jobs);
  }
  await disturbed;
  expect({ kills, restarts, alive: paused.exitCode }).toEqual({
    kills: KILLS,
    restarts: RESTARTS,
    alive: null,
  });
}, 120_000);

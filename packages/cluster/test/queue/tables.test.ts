import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { profile } from "@polybin/columns/profile";
import { type Engine, openEngine, regular } from "@polybin/core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { Client } from "../../src/queue/client.ts";
import { addressOf } from "../../src/queue/connect.ts";
import { countingOf } from "../../src/queue/counting.ts";
import { Cluster, openWorker, type WorkerEvent } from "../../src/queue/index.ts";
import {
  type ColumnPlan,
  encodePartial,
  finish,
  Inputs,
  planTask,
  runShard,
  shardsOf,
  type TaskResult,
} from "../../src/shards/index.ts";
import { noRedis, TestRedis } from "../redis.ts";
import { csvOf, rowsOf } from "../rows.ts";

let redis: TestRedis;
let engine: Engine;
let folder: string;
let paths: string[];
beforeAll(async () => {
  if (noRedis) return;
  redis = await TestRedis.start();
  engine = await openEngine();
  folder = mkdtempSync(join(tmpdir(), "polybin-cluster-"));
  paths = [1, 2, 3].map((seed) => join(folder, `rows-${seed}.csv`));
  for (const [i, path] of paths.entries()) writeFileSync(path, csvOf(rowsOf(500, i + 1)));
});
afterAll(async () => {
  await engine?.close();
  await redis?.[Symbol.asyncDispose]();
  if (folder) rmSync(folder, { recursive: true });
});
beforeEach(({ skip }) => {
  if (noRedis) skip(noRedis);
});

const READ = { partBytes: 1024 };

/** Counts in this process, as one shard. */
async function alone(inputs: Inputs, columns: readonly ColumnPlan[], by: string | null): Promise<TaskResult> {
  const count = async (extents?: Extract<TaskResult, { count: "extent" }>["extents"]) => {
    const task = planTask(inputs, { count: "hist", columns, by, extents });
    const [shard] = shardsOf(task, inputs.tables, { shards: 1 });
    return finish(task, await runShard(engine, task, shard!, { threads: 0 }));
  };
  const first = await count();
  return first.count === "extent" ? count(first.extents) : first;
}

/** A worker in this process. */
async function worker(allow: readonly string[], events: WorkerEvent[] = []) {
  return openWorker({ redis: redis.url, engine, allow, threads: 0, onEvent: (event) => events.push(event) });
}

it.for<[string, ColumnPlan[], string | null]>([
  ["a range that is given", [{ name: "price", axis: { axis: regular(40, -20, 80) } }], null],
  ["a range from the data, in two passes", [{ name: "price" }, { name: "id" }], null],
  ["groups, strings and booleans", [{ name: "price", axis: { bins: 7 } }, { name: "paid" }], "country"],
])("counts files to the same bits as one process: %s", async ([name, columns, by]) => {
  await using inputs = await Inputs.open(paths, { read: READ, threads: 0 });
  await using cluster = await Cluster.open({ redis: redis.url });
  await using _worker = await worker([folder]);
  const passes = new Set<string>();
  const { result } = await cluster.hist({
    inputs,
    columns,
    by,
    cut: { shards: 37 },
    width: 4,
    onProgress: ({ pass, total }) => passes.add(`${pass} ${total}`),
  });
  expect(JSON.stringify(result)).toBe(JSON.stringify(await alone(inputs, columns, by)));
  expect([...passes]).toEqual(name.includes("given") ? ["hist 37"] : ["extent 37", "hist 37"]);
});

it("profiles files with different columns, and without any, as one process does", async () => {
  const cases = {
    "ab.csv": "a,b\n1,2\n,4\n",
    "ac.csv": "a,c\n5,x\n7,\n",
    "empty.csv": "",
    "rows.jsonl": "{}\n{}\n",
  };
  for (const [name, content] of Object.entries(cases)) writeFileSync(join(folder, name), content);
  await using cluster = await Cluster.open({ redis: redis.url });
  await using _worker = await worker([folder]);
  for (const names of [
    ["ab.csv", "ac.csv"],
    ["ac.csv", "empty.csv", "ab.csv"],
    ["empty.csv"],
    ["rows.jsonl"],
  ]) {
    const files = names.map((name) => join(folder, name));
    await using inputs = await Inputs.open(files, { threads: 0 });
    const { rows, columns } = await cluster.profile({ inputs });
    const expected = await profile(engine, inputs.tables, { distinctLimit: 10_000 });
    expect({ names, rows, columns }).toEqual({ names, rows: expected.rows, columns: expected.columns });
  }
});

it("opens nothing outside the folders of its --allow", async () => {
  await using inputs = await Inputs.open(paths, { read: READ, threads: 0 });
  await using cluster = await Cluster.open({ redis: redis.url });
  const events: WorkerEvent[] = [];
  await using _worker = await worker([join(folder, "rows-1.csv")], events);
  const axis = { axis: regular(3, 0, 1) };
  const columns = [{ name: "price", axis }];
  await expect(cluster.hist({ inputs, columns, name: "outside", cut: { shards: 3 } })).rejects.toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringMatching(
      /^job outside\/hist: shard \d \(.*rows-[23]\.csv.*\(allow\) but it lies outside/,
    ),
  });
  expect(events.some(({ kind }) => kind === "failed")).toBe(true);
});

it("refuses a file that changed after the request", async () => {
  const path = join(folder, "changes.csv");
  writeFileSync(path, "a\n1\n2\n");
  await using inputs = await Inputs.open([path], { threads: 0 });
  await using cluster = await Cluster.open({ redis: redis.url });
  writeFileSync(path, "a\n1\n2\n3\n");
  await using _worker = await worker([folder]);
  await expect(cluster.hist({ inputs, columns: [{ name: "a" }], name: "changed" })).rejects.toMatchObject({
    code: "ERR_INPUT",
    message: expect.stringContaining("to stay as it was when the task was made"),
  });
});

it("refuses wrong options, and a Redis that is not there, with a code", async () => {
  const cases: [() => Promise<unknown>, string, RegExp][] = [
    [() => Cluster.open({ redis: "http://x" }), "ERR_INPUT", /expected redis:\/\/HOST:PORT/],
    [
      () => Cluster.open({ redis: "redis://127.0.0.1:1" }),
      "ERR_UNAVAILABLE",
      /cannot use Redis at redis:\/\/127.0.0.1:1: .*ECONNREFUSED/,
    ],
    [
      () => Cluster.open({ redis: redis.url.replace(/:[^:@]+@/, ":wrong-word@") }),
      "ERR_UNAVAILABLE",
      /check the password/,
    ],
    [() => openWorker({ redis: redis.url, engine, allow: [] }), "ERR_INPUT", /expected at least one folder/],
    [
      () => openWorker({ redis: redis.url, engine, allow: ["/"], concurrency: 0 }),
      "ERR_INPUT",
      /concurrency/,
    ],
    [() => openWorker({ redis: redis.url, engine, alow: ["/"] } as never), "ERR_INPUT", /did you mean allow/],
  ];
  for (const [call, code, says] of cases) {
    const error = await call().catch((caught: Error) => caught);
    expect(error).toMatchObject({ code, message: expect.stringMatching(says) });
    expect(String(error)).not.toMatch(/wrong-word/);
  }
});

it("ends the wait when it is aborted, with the reason of the signal, and the job goes on", async () => {
  await using inputs = await Inputs.open(paths, { read: READ, threads: 0 });
  await using cluster = await Cluster.open({ redis: redis.url });
  const columns = [{ name: "price", axis: { axis: regular(11, 0, 1) } }];
  const gone = new AbortController();
  const waiting = cluster.hist({
    inputs,
    columns,
    name: "gone",
    signal: gone.signal,
    onProgress: () => gone.abort(new Error("enough")),
  });
  await expect(waiting).rejects.toThrow("enough");
  expect(await cluster.status("gone")).toMatchObject([{ state: "running", done: 0 }]);
  await expect(cluster.hist({ inputs, columns, signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: "AbortError",
  });
  await using _worker = await worker([folder]);
  const { result } = await cluster.hist({ inputs, columns, name: "gone" });
  expect(result.rows).toBe(1500);
});

it("checks that a partial result is whole, and of its shards", async () => {
  await using inputs = await Inputs.open(paths, { read: READ });
  const columns = [{ name: "price", axis: { axis: regular(4, 0, 40) } }];
  const task = planTask(inputs, { count: "hist", columns, by: null });
  const shards = shardsOf(task, inputs.tables, { shards: 3 });
  const bytes = encodePartial(await runShard(engine, task, shards[1]!, { threads: 0 }));
  const counting = countingOf(engine, { allow: [folder] });
  const check =
    (of: Uint8Array, first = 1, end = 2, all = 3) =>
    () =>
      counting.checkPartial(of, task, { first, end, of: all });
  expect(check(bytes)).not.toThrow();
  const wrong = expect.objectContaining({ code: "ERR_INPUT" });
  for (let i = 0; i < bytes.length; i++) {
    expect(check(bytes.with(i, bytes[i]! ^ 1)), `byte ${i}`).toThrow(wrong);
  }
  for (const cut of [0, 1, 100, bytes.length - 1]) expect(check(bytes.subarray(0, cut))).toThrow(wrong);
  expect(check(bytes, 0, 1)).toThrow(wrong);
  expect(check(bytes, 1, 3)).toThrow(wrong);
  expect(check(bytes, 1, 2, 4)).toThrow(wrong);
});

it("counts again if the result in Redis is damaged, and waits while the queue is paused", async () => {
  await using inputs = await Inputs.open(paths, { read: READ });
  await using cluster = await Cluster.open({ redis: redis.url });
  await using client = await Client.open(addressOf(redis.url));
  const columns = [{ name: "price", axis: { axis: regular(7, 0, 40) } }];
  const count = () => cluster.hist({ inputs, columns, name: "damaged", cut: { shards: 1 } });
  await client.queue.pause();
  expect(await cluster.paused()).toBe(true);
  await using _worker = await worker([folder]);
  const counted = count();
  await expect.poll(async () => (await cluster.status("damaged"))[0]?.state).toBe("running");
  await client.queue.resume();
  expect(await cluster.paused()).toBe(false);
  const { result } = await counted;
  const { id } = (await client.store.record((await cluster.status("damaged"))[0]!.id))!;
  redis.cli("setrange", `polybin:part:${id}:0.0`, "90", "x");
  expect((await count()).result).toEqual(result);
  expect((await cluster.status("damaged"))[0]!.run).toBe(2);
});

import { beforeEach, expect, it } from "vitest";
import { Client } from "../../src/queue/client.ts";
import { addressOf } from "../../src/queue/connect.ts";
import { entryKey, PREFIX, QUEUE, queueId, recordKey, resultKey } from "../../src/queue/keys.ts";
import { MAX_STALLED } from "../../src/queue/limits.ts";
import { isLost, reaching } from "../../src/queue/lost.ts";
import { runJob } from "../../src/queue/submit.ts";
import { queueWorker, type WorkerEvent } from "../../src/queue/worker.ts";
import { noRedis, TestRedis } from "../redis.ts";
import { request } from "./requests.ts";
import { decode, expectedSum, sums } from "./sums.ts";

beforeEach(({ skip }) => {
  if (noRedis) skip(noRedis);
});

async function worker(redis: TestRedis, events: WorkerEvent[] = [], computation = sums) {
  return queueWorker(computation, {
    address: addressOf(redis.url),
    concurrency: 2,
    maxPartialBytes: 1e6,
    lockMs: 600,
    onEvent: (event) => events.push(event),
  });
}

it("a Redis that is away while a job is asked for, watched and counted", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  await using _worker = await worker(redis);
  const task = request("away", 300, { ms: 2 });
  const result = runJob(client, task);
  for (let restart = 0; restart < 3; restart++) {
    await redis.down();
    await redis.up();
  }
  expect(decode(await result)).toEqual(expectedSum(300));
});

it("a Redis that loses the record of a job and keeps its entries in the queue", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  const task = request("headless", 20);
  const gone = new AbortController();
  const entries = () => client.queue.getWaitingCount();
  const first = runJob(client, task, { signal: gone.signal }).catch(() => {});
  await expect.poll(entries).toBe(20);
  gone.abort();
  await first;
  // As Redis does if it is killed after it has confirmed the record and before it has written it.
  redis.cli("unlink", recordKey(task.id));
  const events: WorkerEvent[] = [];
  await using _worker = await worker(redis, events);
  // Workers refuse these entries, so that their flow fails.
  await expect.poll(entries).toBe(0);
  expect(events.filter(({ kind }) => kind === "refused").length).toBeGreaterThanOrEqual(20);
  expect(decode(await runJob(client, task))).toEqual(expectedSum(20));
});

it("a Redis that loses partial results while they are merged: their shards are counted again, without a new request", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  const task = request("holes", 16);
  let left = 2;
  const losing: typeof sums = {
    ...sums,
    async merge(given, parts, signal) {
      if (left-- > 0)
        for (const index of [1, 6, 11, 13]) redis.cli("unlink", resultKey(task.id, { level: 0, index }));
      return sums.merge(given, parts, signal);
    },
  };
  const events: WorkerEvent[] = [];
  await using _worker = await worker(redis, events, losing);
  expect(decode(await runJob(client, task))).toEqual(expectedSum(16));
  expect(events.filter(({ kind }) => kind === "warning")).toContainEqual({
    kind: "warning",
    reason: expect.stringMatching(/is not in Redis any more: its shards are counted again$/),
  });
  expect(events.filter(({ kind }) => kind === "failed")).toEqual([]);
  expect((await client.store.record(task.id))!.runs).toBeGreaterThan(1);
});

it("a Redis that damages partial results: their shards are counted again, as lost ones", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  const task = request("dents", 16);
  let left = 2;
  const damaging: typeof sums = {
    ...sums,
    async merge(given, parts, signal) {
      // Other bytes, and the whole result of another shard.
      if (left-- > 0)
        for (const [index, value] of [
          [1, "x"],
          [6, '{"sum":25,"shards":[5]}'],
          [11, ""],
        ] as const)
          redis.cli("set", resultKey(task.id, { level: 0, index }), value, "XX");
      return sums.merge(given, parts, signal);
    },
  };
  const events: WorkerEvent[] = [];
  await using _worker = await worker(redis, events, damaging);
  expect(decode(await runJob(client, task))).toEqual(expectedSum(16));
  expect(events.filter(({ kind }) => kind === "warning")).toContainEqual({
    kind: "warning",
    reason: expect.stringMatching(
      /^the partial result 0\.\d+ in Redis is damaged .*: its shards are counted again$/,
    ),
  });
  expect(events.filter(({ kind }) => kind === "failed")).toEqual([]);
});

it("a Redis that damages the result of a job that is done: it is counted again", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  const task = {
    ...request("dent", 5),
    check: (bytes: Uint8Array) => sums.checkPartial(bytes, { ms: 0 }, { first: 0, end: 5, of: 5 }),
  };
  await using _worker = await worker(redis);
  expect(decode(await runJob(client, task))).toEqual(expectedSum(5));
  redis.cli("set", resultKey(task.id, { level: 2, index: 0 }), '{"sum":0,"shards":[0]}', "XX");
  expect(decode(await runJob(client, task))).toEqual(expectedSum(5));
  expect((await client.store.record(task.id))!.runs).toBe(2);
});

it("a worker counts the task that the record has now, and not one that it remembers", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  const first = request("memory", 6);
  await using _worker = await worker(redis);
  expect(decode(await runJob(client, first))).toEqual(expectedSum(6));
  await client.store.remove(first.id, ["memory"]);
  const second = { ...request("memory", 6, { ms: 0, fails: [2] }), id: first.id };
  await expect(runJob(client, second)).rejects.toMatchObject({
    message: expect.stringContaining("value 2 cannot be counted"),
  });
});

it("a record whose task was changed is no record, and the next run writes it anew", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  const task = request("changed", 6);
  const result = runJob(client, task);
  await expect.poll(() => client.queue.getWaitingCount()).toBe(6);
  redis.cli("hset", recordKey(task.id), "task", '{"ms":0,"fails":[1]}');
  await using _worker = await worker(redis);
  expect(decode(await result)).toEqual(expectedSum(6));
});

it("a task that is no JSON is refused in words of its own", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  await using _worker = await worker(redis);
  await expect(runJob(client, { ...request("text", 1), task: "{" })).rejects.toMatchObject({
    message: expect.stringMatching(
      /shard 0 \(the number 0\) failed: the task of job [0-9a-f]{64} is no JSON;/,
    ),
  });
});

it("a Redis that loses partial results again and again ends the job after a bounded number of runs", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  const task = request("sieve", 2);
  const losing: typeof sums = {
    ...sums,
    async merge(given, parts, signal) {
      redis.cli("unlink", resultKey(task.id, { level: 0, index: 1 }));
      return sums.merge(given, parts, signal);
    },
  };
  await using _worker = await worker(redis, [], losing);
  await expect(runJob(client, task, { runs: 2 })).rejects.toMatchObject({
    code: "ERR_UNAVAILABLE",
    message: expect.stringMatching(
      /^job sieve lost its flow 2 times, the last time because its flow failed \(the partial result 0\.1 is not in Redis any more/,
    ),
  });
});

it("a shard that ends every worker fails its job", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  const task = request("poison", 3);
  const result = runJob(client, task).catch((error: Error) => error);
  await expect.poll(async () => (await client.store.record(task.id))?.run).toBeGreaterThan(0);
  const { run } = (await client.store.record(task.id))!;
  const key = entryKey(queueId(task.id, run, { level: 0, index: 1 }));
  await expect.poll(() => redis.cli("exists", key)).toBe("1");
  // As BullMQ notes it after the last worker.
  redis.cli("hset", key, "stc", String(MAX_STALLED + 1), "defa", "job stalled more than allowable limit");
  await using _worker = await worker(redis);
  expect(await result).toMatchObject({
    code: "ERR_WORKER",
    message: expect.stringMatching(
      /^job poison: shard 1 \(the number 1\) failed: .*25 workers ended while they counted it/,
    ),
  });
});

it("an entry of the queue that BullMQ itself cannot read does not stop the others", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  redis.cli(
    "hset",
    `${PREFIX}:${QUEUE}:bad-options`,
    "name",
    "x",
    "data",
    "{}",
    "opts",
    "{",
    "timestamp",
    "1",
  );
  redis.cli("lpush", `${PREFIX}:${QUEUE}:wait`, "bad-options", "no-such-job");
  await using _worker = await worker(redis);
  expect(decode(await runJob(client, request("others", 20)))).toEqual(expectedSum(20));
});

it("a Redis whose memory is full is an error with a code, and the work goes on later", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  redis.cli("config", "set", "maxmemory", "1");
  await expect(reaching(() => runJob(client, request("full", 5)))).rejects.toMatchObject({
    code: "ERR_UNAVAILABLE",
    message: expect.stringMatching(/^Redis refused a command: .*OOM/),
  });
  redis.cli("config", "set", "maxmemory", "0");
  await using _worker = await worker(redis);
  expect(decode(await runJob(client, request("full", 5)))).toEqual(expectedSum(5));
});

it("knows a lost connection from an answer", () => {
  expect(isLost(new Error("Connection is closed."))).toBe(true);
  expect(isLost(new Error("OOM command not allowed"))).toBe(false);
  expect(isLost("Connection is closed.")).toBe(false);
});

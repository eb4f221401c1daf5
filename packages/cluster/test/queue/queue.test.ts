import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cancelJobs, removeJobs, statusOf } from "../../src/queue/admin.ts";
import { Client } from "../../src/queue/client.ts";
import { addressOf } from "../../src/queue/connect.ts";
import { queueId, resultKey } from "../../src/queue/keys.ts";
import { runJob } from "../../src/queue/submit.ts";
import { queueWorker, type WorkerEvent } from "../../src/queue/worker.ts";
import { noRedis, TestRedis } from "../redis.ts";
import { request } from "./requests.ts";
import { decode, expectedSum, sums } from "./sums.ts";

let redis: TestRedis;
beforeAll(async () => {
  if (!noRedis) redis = await TestRedis.start();
});
beforeEach(({ skip }) => {
  if (noRedis) skip(noRedis);
});
afterAll(() => redis?.[Symbol.asyncDispose]());

/** A worker in this process, and what it reports. */
async function worker(maxPartialBytes = 1e6) {
  const events: WorkerEvent[] = [];
  const open = await queueWorker(sums, {
    address: addressOf(redis.url),
    concurrency: 2,
    maxPartialBytes,
    lockMs: 2000,
    onEvent: (event) => events.push(event),
  });
  return { events, [Symbol.asyncDispose]: () => open.close() };
}

const client = () => Client.open(addressOf(redis.url));
const counted = (events: readonly WorkerEvent[]) => events.filter(({ kind }) => kind === "counted").length;

describe("a job", () => {
  it.for([1, 2, 4, 5, 17, 100])("of %i shards has the sum of all of them, each once", async (n) => {
    await using commands = await client();
    await using _worker = await worker();
    const seen: (number | null)[] = [];
    const bytes = await runJob(commands, request(`n${n}`, n), {
      onProgress: ({ done, total }) => seen.push(done, total),
    });
    expect(decode(bytes)).toEqual(expectedSum(n));
    expect(seen.slice(-2)).toEqual([n, n]);
    // Merges drop the partial results that they have merged.
    expect(redis.cli("keys", `polybin:part:${request(`n${n}`, n).id}:*`).split("\n")).toHaveLength(1);
  });

  it("that is done answers from what is kept, without a worker", async () => {
    await using commands = await client();
    const task = request("kept", 10, { ms: 1 });
    {
      await using _worker = await worker();
      await runJob(commands, task);
    }
    expect(decode(await runJob(commands, task))).toEqual(expectedSum(10));
    expect(await statusOf(commands, "kept")).toMatchObject([
      { name: "kept", state: "done", done: 10, shards: 10, run: 1 },
    ]);
  });

  it("goes on where it was after its client, its workers and its flow are gone", async () => {
    const task = request("again", 60, { ms: 2 });
    const gone = new AbortController();
    {
      await using commands = await client();
      await using _worker = await worker();
      const waiting = runJob(commands, task, {
        signal: gone.signal,
        onProgress: ({ done }) => done >= 20 && gone.abort(),
      });
      await expect(waiting).rejects.toThrow("aborted");
    }
    // Everything of the queue is lost, and the partial results are not.
    for (const key of redis.cli("keys", "polybin:work:*").split("\n")) redis.cli("unlink", key);
    await using commands = await client();
    await using second = await worker();
    const bytes = await runJob(commands, task);
    expect(decode(bytes)).toEqual(expectedSum(60));
    expect(counted(second.events)).toBeLessThanOrEqual(40);
    expect(await statusOf(commands, "again")).toMatchObject([{ state: "done", run: 2, done: 60 }]);
  });

  it("counts again what Redis has lost, and nothing else", async () => {
    const task = request("lost", 16, { ms: 3 });
    await using commands = await client();
    {
      await using _worker = await worker();
      await runJob(commands, task);
    }
    redis.cli("unlink", resultKey(task.id, { level: 2, index: 0 }));
    await using again = await worker();
    expect(decode(await runJob(commands, task))).toEqual(expectedSum(16));
    expect(counted(again.events)).toBe(16);
  });

  it("of two clients is counted once", async () => {
    const task = request("two", 40, { ms: 4 });
    await using one = await client();
    await using two = await client();
    await using both = await worker();
    const results = await Promise.all([runJob(one, task), runJob(two, task)]);
    for (const bytes of results) expect(decode(bytes)).toEqual(expectedSum(40));
    expect(counted(both.events)).toBe(40);
  });

  it("names a shard that fails three times, what was done and what is missing", async () => {
    await using commands = await client();
    await using all = await worker();
    const broken = request("broken", 8, { ms: 0, fails: [3] }, 4);
    const error = await runJob(commands, broken).catch((caught: Error) => caught);
    expect(error).toMatchObject({ code: "ERR_WORKER" });
    expect((error as Error).message).toMatch(
      /^job broken: shard 3 \(the number 3\) failed: value 3 cannot be counted; done: \d of 8 shards; missing: .*\b3\b.*; remove the cause/,
    );
    expect(all.events.filter(({ kind }) => kind === "failed")).toMatchObject([
      { last: false },
      { last: false },
      { node: "0.3", last: true },
    ]);
    expect(await statusOf(commands, "broken")).toMatchObject([
      { state: "failed", failures: ["value 3 cannot be counted"] },
    ]);
  });

  it("refuses a partial result above the limit", async () => {
    await using commands = await client();
    await using _worker = await worker(20);
    await expect(runJob(commands, request("large", 8, { ms: 0 }, 8))).rejects.toMatchObject({
      code: "ERR_LIMIT",
      message: expect.stringContaining("expected partial results of at most 20 bytes"),
    });
  });

  it("refuses a name that another request has", async () => {
    await using commands = await client();
    await using _worker = await worker();
    await runJob(commands, request("taken", 3));
    await expect(runJob(commands, request("taken", 4))).rejects.toMatchObject({
      code: "ERR_INPUT",
      message: expect.stringContaining("polybin cluster gc taken"),
    });
    await removeJobs(commands, { name: "taken" });
    expect(decode(await runJob(commands, request("taken", 4)))).toEqual(expectedSum(4));
  });

  it("with two names is found by each of them", async () => {
    await using commands = await client();
    const gone = new AbortController();
    const task = request("first", 7, { ms: 9 });
    for (const name of ["first/sum", "second/sum"]) {
      const waiting = runJob(commands, { ...task, name }, { signal: gone.signal }).catch(() => {});
      await expect.poll(async () => (await statusOf(commands, name.split("/")[0])).length).toBe(1);
      if (name === "second/sum") gone.abort();
      void waiting;
    }
    expect(await statusOf(commands, "second")).toMatchObject([{ name: "second/sum", state: "running" }]);
    expect(await statusOf(commands, "first")).toMatchObject([{ name: "first/sum" }]);
    expect(await cancelJobs(commands, "second")).toMatchObject([{ name: "second/sum", state: "cancelled" }]);
    expect(await removeJobs(commands, { name: "second" })).toMatchObject({ jobs: ["second/sum"] });
    expect(await statusOf(commands, "first")).toEqual([]);
    await expect(removeJobs(commands, { name: "second" })).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  it("can be cancelled, and goes on when it is asked for again", async () => {
    await using commands = await client();
    await using all = await worker();
    const task = request("stop", 400, { ms: 5 });
    let told: (() => void) | null = null;
    const some = new Promise<void>((resolve) => {
      told = resolve;
    });
    const waiting = runJob(commands, task, { onProgress: ({ done }) => done > 5 && told?.() });
    const outcome = expect(waiting).rejects.toMatchObject({
      code: "ERR_UNAVAILABLE",
      message: expect.stringMatching(/^job stop was cancelled after \d+ of 400 shards$/),
    });
    await some;
    expect(await cancelJobs(commands, "stop")).toMatchObject([{ name: "stop", state: "cancelled" }]);
    await outcome;
    // The queue has nothing of it any more, except what a worker still holds.
    await sleep(50);
    const before = counted(all.events);
    expect(before).toBeLessThan(400);
    expect(decode(await runJob(commands, task))).toEqual(expectedSum(400));
    expect(counted(all.events)).toBeLessThanOrEqual(400 + 4);
    await expect(cancelJobs(commands, "nobody")).rejects.toMatchObject({ code: "ERR_INPUT" });
  });

  it("is removed with all its keys", async () => {
    await using commands = await client();
    await using _worker = await worker();
    const task = request("old", 20, { ms: 6 });
    await runJob(commands, task);
    await runJob(commands, request("other", 5, { ms: 6 }));
    expect(await removeJobs(commands, { olderThanMs: 3_600_000 })).toEqual({ jobs: [], keys: 0 });
    expect(await removeJobs(commands, { name: "old" })).toEqual({ jobs: ["old"], keys: 3 });
    expect(redis.cli("keys", `*${task.id}*`)).toBe("");
    expect(await statusOf(commands, "old")).toEqual([]);
    await removeJobs(commands, {});
    expect(await statusOf(commands)).toEqual([]);
    expect(redis.cli("keys", "polybin:[jpdf]*")).toBe("");
  });
});

describe("a flow", () => {
  it("of a failed job leaves nothing to wait for", async () => {
    await using commands = await client();
    await using _worker = await worker();
    await runJob(commands, request("sum", 30, { ms: 1, fails: [0] })).catch(() => {});
    await expect
      .poll(() => commands.queue.getJobCounts("waiting", "active", "waiting-children", "delayed"), {
        timeout: 10_000,
      })
      .toEqual({ waiting: 0, active: 0, "waiting-children": 0, delayed: 0 });
    expect(queueId("f".repeat(64), 2, { level: 1, index: 3 })).toBe(`${"f".repeat(32)}.2.1.3`);
  });
});

import { beforeEach, expect, it } from "vitest";
import { Client } from "../../src/queue/client.ts";
import { addressOf } from "../../src/queue/connect.ts";
import { PREFIX, QUEUE, queueId } from "../../src/queue/keys.ts";
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

async function worker(redis: TestRedis, events: WorkerEvent[] = []) {
  return queueWorker(sums, {
    address: addressOf(redis.url),
    concurrency: 2,
    maxPartialBytes: 1e6,
    lockMs: 600,
    onEvent: (event) => events.push(event),
  });
}

/**
 * Asks for a job until it is counted. A Redis that is killed may lose its last second: the job then fails, names what is
 * missing, and goes on when it is asked for again. Other errors are thrown.
 */
async function untilCounted(client: Client, task: ReturnType<typeof request>): Promise<Uint8Array> {
  for (let left = 3; ; left--) {
    try {
      return await runJob(client, task);
    } catch (error) {
      if (left === 0 || !(error as Error).message.includes("ask again, which counts only the missing shards"))
        throw error;
    }
  }
}

it("a Redis that is away while a job is asked for, watched and counted", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  await using _worker = await worker(redis);
  const task = request("away", 300, { ms: 2 });
  const result = untilCounted(client, task);
  for (let restart = 0; restart < 3; restart++) {
    await redis.down();
    await redis.up();
  }
  expect(decode(await result)).toEqual(expectedSum(300));
});

it("a shard that ends every worker fails its job", async () => {
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  const task = request("poison", 3);
  const result = runJob(client, task).catch((error: Error) => error);
  const key = `${PREFIX}:${QUEUE}:${queueId(task.id, 1, { level: 0, index: 1 })}`;
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

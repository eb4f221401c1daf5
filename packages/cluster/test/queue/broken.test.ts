import { Redis } from "ioredis";
import { expect, it } from "vitest";
import { Client } from "../../src/queue/client.ts";
import { addressOf } from "../../src/queue/connect.ts";
import { entryKey, queueId } from "../../src/queue/keys.ts";
import { runJob } from "../../src/queue/submit.ts";
import { queueWorker, type WorkerEvent } from "../../src/queue/worker.ts";
import { noRedis, TestRedis } from "../redis.ts";
import { request } from "./requests.ts";
import { decode, expectedSum, sums } from "./sums.ts";

/** Values that a field of an entry may be replaced by. */
const VALUES = ["", "{", "null", "5", '"text"', "[]", "{}", '{"id":1}', "1e999", "-3", "5x", "\u0000\uffff"];
const FIELDS = ["opts", "parent", "parentKey", "atm", "ats", "stc", "progress", "priority", "delay", "deid"];
const MORE = ["defa", "rjk", "stacktrace", "returnvalue", "failedReason", "finishedOn", "timestamp", "name"];
/** Options that BullMQ itself would trip over. */
const OPTIONS = [
  '{"attempts":"x","backoff":{"type":"no such"}}',
  '{"removeOnFail":{"count":"x"},"removeOnComplete":{"age":{}}}',
  '{"stackTraceLimit":"x","fpof":1,"tm":5,"parent":{"id":"x"}}',
];

it("refuses by name each entry whose fields are broken, and none stays in the queue", async ({ skip }) => {
  if (noRedis) skip(noRedis);
  await using server = await TestRedis.start();
  const address = addressOf(server.url);
  const redis = new Redis({ ...address.options });
  const names: string[] = [];
  const pipeline = redis.pipeline();
  const add = (fields: Record<string, string> | null) => {
    const id = `bad-${names.length}`;
    names.push(id);
    if (fields === null) pipeline.set(entryKey(id), "no hash");
    else pipeline.hset(entryKey(id), { name: "x", data: '{"a":1}', opts: "{}", timestamp: "1", ...fields });
    pipeline.lpush(entryKey("wait"), id);
  };
  for (const field of [...FIELDS, ...MORE]) for (const value of VALUES) add({ [field]: value });
  for (const opts of OPTIONS) add({ opts });
  for (const one of FIELDS) for (const two of MORE) add({ [one]: "{", [two]: "[" });
  for (let i = 0; i < 3; i++) add(null);
  await pipeline.exec();
  // Keys of an entry that hold something else.
  await redis.set(entryKey(`${names[0]}:dependencies`), "no set");
  await redis.zadd(entryKey("marker"), 0, "0");

  const refused = new Map<string, string>();
  const others: WorkerEvent[] = [];
  await using _worker = await queueWorker(sums, {
    address,
    concurrency: 4,
    maxPartialBytes: 1e6,
    lockMs: 1000,
    onEvent: (event) => {
      if (event.kind === "refused") refused.set(event.entry, event.reason);
      else others.push(event);
    },
  });
  await using client = await Client.open(address);
  expect(decode(await runJob(client, request("behind", 20)))).toEqual(expectedSum(20));
  await expect.poll(() => names.filter((name) => !refused.has(name))).toEqual([]);
  await expect
    .poll(() => client.queue.getJobCounts("waiting", "active", "waiting-children", "delayed"), {
      timeout: 10_000,
    })
    .toEqual({ waiting: 0, active: 0, "waiting-children": 0, delayed: 0 });
  for (const reason of refused.values()) expect(reason).not.toBe("");
  expect(others.filter(({ kind }) => kind === "warning")).toEqual([]);
  redis.disconnect();
}, 60_000);

it("ends the job of a broken entry, with its reason", async ({ skip }) => {
  if (noRedis) skip(noRedis);
  await using redis = await TestRedis.start();
  await using client = await Client.open(addressOf(redis.url));
  const task = request("torn", 10);
  const result = runJob(client, task).catch((error: Error) => error);
  const run = async () => Number((await client.store.record(task.id))?.run);
  await expect.poll(run).toBeGreaterThan(0);
  const entry = queueId(task.id, await run(), { level: 0, index: 3 });
  await expect.poll(() => redis.cli("exists", entryKey(entry))).toBe("1");
  redis.cli("hset", entryKey(entry), "opts", "{");
  await using _worker = await queueWorker(sums, {
    address: addressOf(redis.url),
    concurrency: 2,
    maxPartialBytes: 1e6,
  });
  expect(await result).toMatchObject({
    code: "ERR_WORKER",
    message: expect.stringMatching(
      /^job torn: shard 3 \(the number 3\) failed: expected an entry that BullMQ can read/,
    ),
  });
  expect(decode(await runJob(client, task))).toEqual(expectedSum(10));
});

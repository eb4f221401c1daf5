import { Redis } from "ioredis";
import { expect, it } from "vitest";
import { Client } from "../../src/queue/client.ts";
import { addressOf } from "../../src/queue/connect.ts";
import { PREFIX, QUEUE } from "../../src/queue/keys.ts";
import { payloadOf } from "../../src/queue/payload.ts";
import { runJob } from "../../src/queue/submit.ts";
import { queueWorker } from "../../src/queue/worker.ts";
import { noRedis, TestRedis } from "../redis.ts";
import { request } from "./requests.ts";
import { decode, expectedSum, sums } from "./sums.ts";

/** Numbers from a seed, so that a failure can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const valid = payloadOf({ job: "a".repeat(64), run: 1, node: { level: 0, index: 0 }, shard: { value: 1 } });

/** Payloads of every kind of wrong: text that is no JSON, other types, names, sizes, depths and prototypes. */
const WRONG: readonly ((random: () => number) => string)[] = [
  () => "",
  () => "{",
  () => "null",
  () => "[]",
  () => '"text"',
  () => "1e999",
  () => "\u0000\uffff",
  () => JSON.stringify(valid),
  () => JSON.stringify({ ...valid, job: "../../etc/passwd" }),
  () => JSON.stringify({ ...valid, job: `${"a".repeat(63)}*` }),
  () => JSON.stringify({ ...valid, job: { toString: "a" } }),
  () => JSON.stringify({ ...valid, version: 2 }),
  () => JSON.stringify({ ...valid, run: -1 }),
  () => JSON.stringify({ ...valid, run: "1" }),
  () => JSON.stringify({ ...valid, level: 1 }),
  () => JSON.stringify({ ...valid, level: 1e308, shard: undefined }),
  () => JSON.stringify({ ...valid, index: 2 ** 53 }),
  () => JSON.stringify({ ...valid, exec: "rm -rf /" }),
  () => '{"__proto__":{"job":"x"},"constructor":{"prototype":{"polluted":true}}}',
  () => "[".repeat(10_000) + "]".repeat(10_000),
  () => JSON.stringify({ ...valid, shard: "x".repeat(20_000) }),
  (random) => JSON.stringify({ [String(random())]: random() }),
  (random) => JSON.stringify(valid).slice(0, Math.floor(random() * 100)),
  (random) => {
    const text = [...JSON.stringify(valid)];
    text[Math.floor(random() * text.length)] = String.fromCharCode(32 + Math.floor(random() * 95));
    return text.join("");
  },
];

it("refuses 10,000 hostile payloads, each with a reason, and goes on working", async ({ skip }) => {
  if (noRedis) skip(noRedis);
  await using server = await TestRedis.start();
  const address = addressOf(server.url);
  const redis = new Redis({ ...address.options });
  const random = randomFrom(17);
  const count = 10_000;
  const base = `${PREFIX}:${QUEUE}`;
  let pipeline = redis.pipeline();
  for (let i = 0; i < count; i++) {
    const data = WRONG[i % WRONG.length]!(random);
    // As an intruder writes it: past BullMQ, with options and parents of its own.
    const fields: Record<string, string> = {
      name: i % 3 === 0 ? "shard" : `job-${i}`,
      data,
      opts: i % 5 === 0 ? '{"attempts":1000000,"backoff":{"type":"no such"},"repeat":{"every":1}}' : "{}",
      timestamp: String(Date.now()),
      delay: "0",
      priority: "0",
      ...(i % 7 === 0 && { rjk: "repeat:me" }),
      ...(i % 11 === 0 && {
        parentKey: "polybin:work:no-such-parent",
        parent: '{"id":"no","queueKey":"polybin:work"}',
      }),
    };
    pipeline.hset(`${base}:bad-${i}`, fields).lpush(`${base}:wait`, `bad-${i}`);
    if (i % 1000 === 999) {
      await pipeline.exec();
      pipeline = redis.pipeline();
    }
  }
  await redis.zadd(`${base}:marker`, 0, "0");

  const reasons = new Map<string, string>();
  const other: unknown[] = [];
  await using _worker = await queueWorker(sums, {
    address,
    concurrency: 8,
    maxPartialBytes: 1e6,
    onEvent: (event) => {
      if (event.kind === "refused") reasons.set(event.entry, event.reason);
      else other.push(event);
    },
  });
  await using client = await Client.open(address);
  // A real job behind them is counted, by the same worker.
  expect(decode(await runJob(client, request("behind", 50)))).toEqual(expectedSum(50));
  expect(reasons.size).toBe(count);
  for (const reason of reasons.values()) expect(reason).toMatch(/expected|is in this Redis/);
  expect(other.filter((event) => (event as { kind: string }).kind === "warning")).toEqual([]);
  expect({}).not.toHaveProperty("polluted");
  redis.disconnect();
}, 60_000);

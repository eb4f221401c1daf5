import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Client } from "../../src/queue/client.ts";
import { addressOf } from "../../src/queue/connect.ts";
import { runJob } from "../../src/queue/submit.ts";
import { queueWorker, type WorkerEvent } from "../../src/queue/worker.ts";
import { noRedis, TestRedis } from "../redis.ts";
import { decode, expectedSum, type SumTask, sums } from "./sums.ts";

const idOf = (text: string) => createHash("sha256").update(text).digest("hex");

const request = (name: string, n: number, task: SumTask = { ms: 0 }, width = 4) => ({
  id: idOf(`${name}${JSON.stringify(task)}`),
  name,
  task: JSON.stringify(task),
  shards: Array.from({ length: n }, (_, value) => ({ value })),
  width,
});

describe("the queue", () => {
  it("counts all shards", async ({ skip }) => {
    if (noRedis) skip(noRedis);
    await using redis = await TestRedis.start();
    const address = addressOf(redis.url);
    const events: WorkerEvent[] = [];
    await using client = await Client.open(address);
    await using _worker = await queueWorker(sums, {
      address,
      concurrency: 2,
      maxPartialBytes: 1e6,
      onEvent: (e) => events.push(e),
    });
    const seen: number[] = [];
    const start = performance.now();
    const bytes = await runJob(client, request("a", 1000, { ms: 0 }, 32), {
      onProgress: ({ done }) => seen.push(done),
    });
    console.log(performance.now() - start);
    expect(decode(bytes)).toEqual(expectedSum(1000));
    console.log(
      redis.cli("dbsize"),
      redis.cli("keys", "*"),
      events.slice(0, 3),
      events.filter((e) => e.kind === "warning"),
    );
  });
});

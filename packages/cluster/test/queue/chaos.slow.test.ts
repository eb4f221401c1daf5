import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Client } from "../../src/queue/client.ts";
import { addressOf } from "../../src/queue/connect.ts";
import { runJob } from "../../src/queue/submit.ts";
import { noRedis, TestRedis } from "../redis.ts";
import { decode, expectedSum } from "./sums.ts";
import { kill, Workers } from "./workers.ts";

const LOCK_MS = 600;
const SHARDS = 2500;

it("is exact while 20 workers are killed, Redis restarts 3 times and a worker is paused past its lock", async ({
  skip,
}) => {
  if (noRedis) skip(noRedis);
  await using redis = await TestRedis.start();
  await using workers = new Workers(new URL("worker-process.ts", import.meta.url), [
    redis.url,
    String(LOCK_MS),
  ]);
  await Promise.all([workers.start(), workers.start(), workers.start()]);
  await using client = await Client.open(addressOf(redis.url));
  const task = JSON.stringify({ ms: 20 });
  let done = 0;
  const t0 = performance.now();
  const result = runJob(
    client,
    {
      id: createHash("sha256").update("chaos").digest("hex"),
      name: "chaos",
      task,
      shards: Array.from({ length: SHARDS }, (_, value) => ({ value })),
      width: 8,
    },
    {
      onProgress: (progress) => {
        done = progress.done;
      },
    },
  );
  let ended = false;
  result.then(
    () => {
      ended = true;
    },
    () => {
      ended = true;
    },
  );

  const paused = workers.running[0]!;
  let killed = 0;
  let restarts = 0;
  for (let step = 0; step < 20 && !ended; step++) {
    if (step === 2) paused.kill("SIGSTOP");
    if (step === 8) paused.kill("SIGCONT");
    if (step % 6 === 4) {
      await redis.down(step === 10 ? "SIGTERM" : "SIGKILL");
      await sleep(50);
      await redis.up();
      restarts++;
    }
    const others = workers.running.filter((worker) => worker !== paused);
    await kill(others[Math.floor(Math.random() * others.length)]!);
    killed++;
    await workers.start();
    await sleep(150 * Math.random());
    console.log(step, done, performance.now() - t0, ended);
  }
  expect(ended).toBe(false);
  expect({ killed, restarts }).toEqual({ killed: 20, restarts: 3 });
  expect(decode(await result)).toEqual(expectedSum(SHARDS));
  console.log(performance.now() - t0);
});

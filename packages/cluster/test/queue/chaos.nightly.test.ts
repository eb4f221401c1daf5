import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Cluster } from "../../src/queue/index.ts";
import { noRedis, TestRedis } from "../redis.ts";
import { random } from "../rows.ts";
import { program, Thousand } from "./thousand.ts";
import { kill, Workers } from "./workers.ts";

const KILLS = 20;
const RESTARTS = 3;
/** Short, so that what a killed worker had is taken over soon. */
const LOCK_MS = 600;
/**
 * A pause in each shard, so that the kills fall into one or two requests, and a killed worker nearly always has shards. The
 * processor's time then goes into starting workers, which is what the test waits for.
 */
const PAUSE_MS = 20;

it("is exact while 20 workers are killed, Redis restarts 3 times and a worker is paused past its lock", async ({
  skip,
}) => {
  if (noRedis) skip(noRedis);
  await using table = await Thousand.make();
  await using redis = await TestRedis.start();
  const args = [table.folder, String(LOCK_MS), String(PAUSE_MS)];
  await using workers = new Workers(program, args, { POLYBIN_REDIS_URL: redis.url });
  const [paused] = await Promise.all([workers.start(), workers.start(), workers.start()]);
  await using cluster = await Cluster.open({ redis: redis.url });
  const next = random(7);
  let kills = 0;
  let restarts = 0;

  const disturb = async (): Promise<void> => {
    // Starting a worker takes most of the time of this test, so the next one always starts already.
    let starting = workers.start();
    for (; kills < KILLS; kills++) {
      if (kills === 2) paused.kill("SIGSTOP");
      // Far past its lock, so that another worker has its shards.
      if (kills === 10) paused.kill("SIGCONT");
      // A worker that starts needs its Redis.
      const ready = await starting;
      if (kills % 7 === 4) {
        await redis.down(restarts === 1 ? "SIGTERM" : "SIGKILL");
        await sleep(50);
        await redis.up();
        restarts++;
      }
      if (kills < KILLS - 1) starting = workers.start();
      const others = workers.ready.filter((worker) => worker !== paused && worker !== ready);
      await kill(others[Math.floor(next() * others.length)]!);
    }
  };
  let ended = false;
  const disturbed = disturb().finally(() => {
    ended = true;
  });
  disturbed.catch(() => {});
  let jobs = 0;
  // As many requests as the disturbance lasts. The last one ends after it.
  do await table.check(cluster, 100 + jobs++);
  while (!ended);
  await disturbed;
  expect({ kills, restarts, alive: paused.exitCode }).toEqual({
    kills: KILLS,
    restarts: RESTARTS,
    alive: null,
  });
}, 120_000);

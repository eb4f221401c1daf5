// A worker process over tables: the folder that it may open, the lock, and a pause in each shard, both in milliseconds.
import { setTimeout as sleep } from "node:timers/promises";
import { openEngine } from "@polybin/core";
import { addressOf } from "../../src/queue/connect.ts";
import { countingOf } from "../../src/queue/counting.ts";
import { queueWorker } from "../../src/queue/worker.ts";

const [folder, lockMs, pauseMs] = process.argv.slice(2);
const counting = countingOf(await openEngine(), { allow: [folder], threads: 0 });
const computation = {
  ...counting,
  async count(task, shard, signal) {
    await sleep(Number(pauseMs));
    return counting.count(task, shard, signal);
  },
};
const how = { address: addressOf(), concurrency: 2, maxPartialBytes: 1e6, lockMs: Number(lockMs) };
await queueWorker(computation, how);
console.log("ready");

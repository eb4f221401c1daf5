// A worker process over tables: the folder that it may open, the lock, and a pause in each shard, both in milliseconds. It
// is the built package, which starts faster than its sources.
import { setTimeout as sleep } from "node:timers/promises";
import { openEngine } from "@polybin/core";
import { addressOf } from "../../dist/queue/connect.js";
import { countingOf } from "../../dist/queue/counting.js";
import { queueWorker } from "../../dist/queue/worker.js";

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

// A worker process over tables: the folder that it may open, and the lock in milliseconds. It is the built package, which
// starts faster than its sources.
import { openWorker } from "@polybin/cluster";
import { openEngine } from "@polybin/core";

const [folder, lockMs] = process.argv.slice(2);
await openWorker({ engine: await openEngine(), allow: [folder], threads: 0, lockMs: Number(lockMs) });
console.log("ready");

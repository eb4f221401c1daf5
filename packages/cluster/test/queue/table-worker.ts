// A worker process over tables: the folder that it may open, and the lock in milliseconds.
import { openEngine } from "@polybin/core";
import { openWorker } from "../../src/queue/index.ts";

const [folder, lockMs] = process.argv.slice(2);
await openWorker({ engine: await openEngine(), allow: [folder!], threads: 0, lockMs: Number(lockMs) });
console.log("ready");

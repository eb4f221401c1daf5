// A worker process of the stand-in computation: URL, lock in milliseconds.
import { addressOf } from "../../src/queue/connect.ts";
import { queueWorker } from "../../src/queue/worker.ts";
import { sums } from "./sums.ts";

const [url, lockMs] = process.argv.slice(2);
await queueWorker(sums, {
  address: addressOf(url),
  concurrency: 2,
  maxPartialBytes: 2 ** 20,
  lockMs: Number(lockMs),
  onEvent: (event) => {
    if (process.env.LOG) console.log(JSON.stringify(event));
  },
});
console.log("ready");

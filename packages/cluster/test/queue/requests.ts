import { createHash } from "node:crypto";
import type { JobRequest } from "../../src/queue/submit.ts";
import type { SumTask } from "./sums.ts";

/** A request of the stand-in computation: the numbers from 0 to n - 1. */
export function request(name: string, n: number, task: SumTask = { ms: 0 }, width = 4): JobRequest {
  const text = JSON.stringify(task);
  return {
    id: createHash("sha256").update(`${text} ${n} ${width}`).digest("hex"),
    name,
    task: text,
    shards: Array.from({ length: n }, (_, value) => ({ value })),
    width,
    describe: (shard) => `the number ${shard}`,
  };
}

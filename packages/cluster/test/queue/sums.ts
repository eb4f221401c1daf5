import { setTimeout as sleep } from "node:timers/promises";
import { PolybinError } from "@polybin/core";
import type { Computation } from "../../src/queue/computation.ts";

export interface SumTask {
  readonly ms: number;
  readonly fails?: readonly number[];
}
export interface SumShard {
  readonly value: number;
}

/**
 * A stand-in for counting: a shard is a number, and results are sums with the list of their shards, so that a shard that is
 * added twice or missing is seen.
 */
export const sums: Computation<SumTask, SumShard> = {
  checkTask: (given) => given as SumTask,
  checkShard(given) {
    if (typeof (given as SumShard)?.value !== "number") throw new TypeError("expected a value");
    return given as SumShard;
  },
  async count({ ms, fails = [] }, { value }, signal) {
    if (ms > 0) await sleep(ms, undefined, { signal });
    if (fails.includes(value)) throw new Error(`value ${value} cannot be counted`);
    return encode({ sum: value * value, shards: [value] });
  },
  checkPartial(bytes, _task, { first, end }) {
    const text = Buffer.from(bytes).toString();
    const shards = /"shards":\[([\d,]+)\]}$/.exec(text)?.[1]?.split(",") ?? [];
    if (shards.length === end - first && Number(shards[0]) === first) return;
    throw new PolybinError("ERR_INPUT", `expected the sum of shards ${first} to ${end - 1}`);
  },
  async merge(_task, parts) {
    let total: Sum = { sum: 0, shards: [] };
    for await (const part of parts) {
      const { sum, shards } = decode(part);
      total = { sum: total.sum + sum, shards: [...total.shards, ...shards] };
    }
    return encode(total);
  },
};

export interface Sum {
  readonly sum: number;
  readonly shards: readonly number[];
}

const encode = (sum: Sum): Uint8Array => Buffer.from(JSON.stringify(sum));
export const decode = (bytes: Uint8Array): Sum => JSON.parse(Buffer.from(bytes).toString()) as Sum;

/** The result of the shards 0 to n - 1. */
export function expectedSum(n: number): Sum {
  const shards = Array.from({ length: n }, (_, i) => i);
  return { sum: shards.reduce((sum, value) => sum + value * value, 0), shards };
}

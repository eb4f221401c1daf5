import { PolybinError } from "@polybin/core";
import type { Counting, ShardCounter } from "./run/counter.ts";
import type { Task } from "./task.ts";

const REASON = "expected extent, hist or joint: this version does not cut profiles into shards";

/** @throws ERR_UNSUPPORTED */
export function profileCounter(_task: Task, _counting: Counting): ShardCounter {
  throw new PolybinError("ERR_UNSUPPORTED", REASON);
}

/** @throws ERR_UNSUPPORTED */
export function mergeProfiles(_a: Uint8Array, _b: Uint8Array, _task: Task): Promise<Uint8Array> {
  throw new PolybinError("ERR_UNSUPPORTED", REASON);
}

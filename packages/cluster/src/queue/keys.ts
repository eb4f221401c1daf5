import type { Node } from "./tree.ts";

/** The name of the one queue of shards and merges. */
export const QUEUE = "work";

/** The start of all keys, for BullMQ's and for ours. */
export const PREFIX = "polybin";

/** An entry of the queue, or a list of BullMQ's. */
export const entryKey = (name: string): string => `${PREFIX}:${QUEUE}:${name}`;

/** The ends of further keys of an entry. */
export const ENTRY_KEYS = ["lock", "dependencies", "processed", "failed", "unsuccessful"] as const;

/** The index of all jobs: a sorted set of ids, by the time of their last request. */
export const JOBS: string = `${PREFIX}:jobs`;

/** The ids of jobs by name. */
export const NAMES: string = `${PREFIX}:names`;

/** The record of a job: a hash. */
export const recordKey = (id: string): string => `${PREFIX}:job:${id}`;

/** The counted shards of a job: one bit per shard. */
export const doneKey = (id: string): string => `${PREFIX}:done:${id}`;

/** The failed shards and merges of a job: a hash of messages by node. */
export const failedKey = (id: string): string => `${PREFIX}:failed:${id}`;

/** The partial result of a shard or a merge. */
export const resultKey = (id: string, { level, index }: Node): string =>
  `${PREFIX}:part:${id}:${level}.${index}`;

/** The pattern of the keys of all partial results of a job. */
export const resultPattern = (id: string): string => `${PREFIX}:part:${id}:*`;

/** Digits of a job's id in the ids of its entries. */
const SHOWN = 32;

/** The id of a shard or merge in the queue. Each run of a job has its own ones. */
export const queueId = (id: string, run: number, { level, index }: Node): string =>
  `${id.slice(0, SHOWN)}.${run}.${level}.${index}`;

/** Reads the id of a shard or merge in the queue: the first digits of the job's id, its run and its node. */
export function entryParts(entry: string): { job: string; run: number; node: Node } | null {
  const found = /^([0-9a-f]{32})\.(\d{1,15})\.(\d{1,2})\.(\d{1,15})$/.exec(entry);
  if (found === null) return null;
  const [run, level, index] = found.slice(2).map(Number) as [number, number, number];
  return { job: found[1]!, run, node: { level, index } };
}

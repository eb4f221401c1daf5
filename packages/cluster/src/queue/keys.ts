import type { Node } from "./tree.ts";

/** The name of the one queue of shards and merges. */
export const QUEUE = "work";

/** The start of all keys, for BullMQ's and for ours. */
export const PREFIX = "polybin";

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

/** The id of a shard or merge in the queue. Each run of a job has its own ones. */
export const queueId = (id: string, run: number, { level, index }: Node): string =>
  `${id.slice(0, 32)}.${run}.${level}.${index}`;

/** Milliseconds that a worker holds a job without a sign of life. The worker renews its lock every half of this time. */
export const LOCK_MS = 30_000;

/** Attempts at one shard or merge. The job fails after the last one. */
const ATTEMPTS = 3;

/** Milliseconds before the second attempt. Each further attempt waits twice as long. */
export const RETRY_MS = 500;

/** Seconds that Redis keeps a job, its partial results and its result after the last change. */
export const KEEP_SECONDS = 1_209_600;

/** Options of each entry of the queue, for BullMQ. */
export const ENTRY_OPTIONS: {
  readonly attempts: number;
  readonly backoff: { readonly type: "exponential"; readonly delay: number };
  readonly stackTraceLimit: number;
  readonly removeOnComplete: boolean;
  readonly removeOnFail: { readonly age: number; readonly count: number };
} = {
  attempts: ATTEMPTS,
  backoff: { type: "exponential", delay: RETRY_MS },
  stackTraceLimit: 1,
  removeOnComplete: true,
  removeOnFail: { age: KEEP_SECONDS, count: 1000 },
};

/**
 * Number of times that a shard may be taken over from a worker that died. A shard that ends every worker that takes it
 * would otherwise go around forever.
 */
export const MAX_STALLED = 25;

/** Partial results that one merge reads. */
export const TREE_WIDTH = 32;

/** Largest number of partial results that one merge reads. */
export const MAX_TREE_WIDTH = 1024;

/** Bytes of one partial result in Redis, by default. */
export const PARTIAL_BYTES = 16_777_216;

/** Bytes of the payload of one shard or merge. */
export const PAYLOAD_BYTES = 8_388_608;

/** Shards that one worker process counts at the same time, by default: one is read while another one is counted. */
export const CONCURRENCY = 2;

/** Largest value of `concurrency`. */
export const MAX_CONCURRENCY = 256;

/** Milliseconds between two looks at a running job. */
export const POLL_MS = 100;

/** Milliseconds between two looks of a worker at the states of the jobs that it works on. */
export const WATCH_MS = 1_000;

/** Attempts to reach a lost Redis again, one per second, before a command gives up. Workers never give up. */
export const RECONNECTS = 60;

/** Milliseconds in which a first connection must succeed. */
export const CONNECT_MS = 10_000;

/** Shards of one job on the queue, at most. Redis adds them in one transaction, which other commands wait for. */
export const MAX_FLOW_SHARDS = 200_000;

/** Runs of one job by default, if Redis loses their flows. */
export const RUNS = 20;

/** Ids of runs are below this number. */
export const MAX_RUN: number = 2 ** 32;

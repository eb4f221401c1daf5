import { type Engine, PolybinError } from "@polybin/core";
import { checkNames, expected } from "@polybin/core/backend";
import { addressOf } from "./connect.ts";
import { countingOf } from "./counting.ts";
import { CONCURRENCY, LOCK_MS, MAX_CONCURRENCY, PARTIAL_BYTES } from "./limits.ts";
import { Spill } from "./spill.ts";
import { type QueueWorker, queueWorker, type WorkerEvent } from "./worker.ts";

/** Options of a worker. */
export interface WorkerOptions {
  /** As for `Cluster.open`. */
  readonly redis?: string | undefined;
  /** Counts the shards. The worker does not close it. */
  readonly engine: Engine;
  /**
   * Places that tasks may open: folders, schemes ("https:") and the beginnings of URLs. Nothing else is opened, whatever the
   * queue says.
   */
  readonly allow: readonly string[];
  /** Shards that are counted at the same time, 1 to 256. Default: 2. */
  readonly concurrency?: number | undefined;
  /** Threads that decode columns. Default: those of `openTable`. */
  readonly threads?: number | undefined;
  /** Bytes of one partial result at most. Default: 16 MiB. */
  readonly maxPartialBytes?: number | undefined;
  /**
   * A folder that all workers share, in one of those of `allow`. Partial results above `maxPartialBytes` go to files in it,
   * and Redis keeps their names. Default: none, so that they are refused.
   */
  readonly spill?: string | undefined;
  /** Milliseconds after which another worker takes over the shard of a worker that gives no sign of life. Default: 30,000. */
  readonly lockMs?: number | undefined;
  /** Receives everything worth a line in a log. */
  readonly onEvent?: ((event: WorkerEvent) => void) | undefined;
}

const NAMES = [
  "redis",
  "engine",
  "allow",
  "concurrency",
  "threads",
  "maxPartialBytes",
  "spill",
  "lockMs",
  "onEvent",
];

/** The shortest lock: a renewal must fit into half of it. */
const LEAST_LOCK_MS = 200;

/**
 * Starts a worker: it takes shards and merges from the queue until it is closed, and waits for a Redis that is away.
 * @throws ERR_INPUT for invalid options. ERR_UNAVAILABLE if Redis cannot be reached at the start.
 */
export async function openWorker(options: WorkerOptions): Promise<QueueWorker> {
  checkNames(options, NAMES);
  const { redis, engine, allow, threads, spill, onEvent } = options;
  const { concurrency = CONCURRENCY, maxPartialBytes = PARTIAL_BYTES, lockMs = LOCK_MS } = options;
  if (!Array.isArray(allow) || allow.some((entry) => typeof entry !== "string" || entry === "")) {
    throw expected("ERR_INPUT", "allow", "an array of folders, schemes and addresses", allow);
  }
  if (allow.length === 0) {
    throw new PolybinError(
      "ERR_INPUT",
      "expected at least one folder, scheme or address in allow but received none: the worker could open nothing",
    );
  }
  whole(concurrency, "concurrency", 1, MAX_CONCURRENCY);
  whole(maxPartialBytes, "maxPartialBytes", 1, Number.MAX_SAFE_INTEGER);
  whole(lockMs, "lockMs", LEAST_LOCK_MS, Number.MAX_SAFE_INTEGER);
  const address = addressOf(redis);
  const folder = spill === undefined ? null : await Spill.open(spill, maxPartialBytes, allow);
  const computation = countingOf(engine, {
    allow,
    threads,
    maxPartialBytes: folder === null ? maxPartialBytes : undefined,
  });
  return queueWorker(computation, { address, concurrency, maxPartialBytes, spill: folder, lockMs, onEvent });
}

function whole(value: unknown, name: string, least: number, most: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return;
  throw expected("ERR_INPUT", name, `a whole number from ${least} to ${most}`, value);
}

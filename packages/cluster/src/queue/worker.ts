import { isPolybinError } from "@polybin/core";
import { type Job, UnrecoverableError, WaitingError, type WorkerOptions } from "bullmq";
import type { Computation } from "./computation.ts";
import { type Address, connect, patient } from "./connect.ts";
import { GuardedWorker, type Guards } from "./guarded-worker.ts";
import { PREFIX, QUEUE } from "./keys.ts";
import { LOCK_MS, MAX_STALLED, WATCH_MS } from "./limits.ts";
import type { Payload } from "./payload.ts";
import { type Outcome, Processor, Refusal } from "./processor.ts";
import { LostPartial, type Spill } from "./spill.ts";
import { Store } from "./store.ts";
import { nodeText } from "./tree.ts";

/** Something that a worker reports, for a log. */
export type WorkerEvent =
  | { readonly kind: Outcome; readonly job: string; readonly node: string; readonly ms: number }
  | { readonly kind: "refused"; readonly entry: string; readonly reason: string }
  | {
      readonly kind: "failed";
      readonly job: string;
      readonly node: string;
      readonly reason: string;
      readonly last: boolean;
    }
  | { readonly kind: "warning"; readonly reason: string };

export interface QueueWorkerOptions {
  readonly address: Address;
  readonly concurrency: number;
  readonly maxPartialBytes: number;
  /** Where larger partial results go. Default: nowhere. */
  readonly spill?: Spill | null | undefined;
  /** Milliseconds of a lock. Default: 30,000. */
  readonly lockMs?: number | undefined;
  readonly onEvent?: ((event: WorkerEvent) => void) | undefined;
}

/** Milliseconds in which a worker closes while Redis does not answer. */
const CLOSE_MS = 5_000;

/** A worker on the queue. */
export interface QueueWorker extends AsyncDisposable {
  /** Gives shards back to the queue that are not done, and closes the connections. */
  close(): Promise<void>;
}

/**
 * Takes shards and merges from the queue until it is closed.
 * @throws ERR_UNAVAILABLE if Redis cannot be reached at the start. Later it waits for Redis.
 */
export async function queueWorker<Task, Shard>(
  computation: Computation<Task, Shard>,
  {
    address,
    concurrency,
    maxPartialBytes,
    spill = null,
    lockMs = LOCK_MS,
    onEvent = () => {},
  }: QueueWorkerOptions,
): Promise<QueueWorker> {
  // The worker's own commands wait for a lost Redis for ever too.
  const redis = await connect(address, { patient: true });
  const store = new Store(redis, spill);
  const processor = new Processor(store, computation, maxPartialBytes);
  const running = new Map<string, Payload>();
  let closing: Promise<void> | null = null;

  const process = async (job: Job, _token?: string, signal = new AbortController().signal) => {
    const start = performance.now();
    let payload: Payload | null = null;
    const report = (kind: Outcome) => {
      if (payload === null) return;
      onEvent({ kind, job: payload.job, node: nodeText(payload.node), ms: performance.now() - start });
    };
    try {
      const outcome = await processor.process(job.data, signal, (checked) => {
        payload = checked;
        running.set(job.id!, checked);
      });
      report(outcome);
      return null;
    } catch (error) {
      if (error instanceof Refusal) {
        onEvent({ kind: "refused", entry: String(job.id), reason: error.message });
        // Without this entry its job would never end. Any other entry only claims to be of this job.
        if (error.payload !== null) await processor.giveUp(String(job.id), error.message);
        throw new UnrecoverableError(error.message);
      }
      if (error instanceof LostPartial) {
        // The flow fails without a failed shard. The client that waits for it starts a run of what is missing.
        onEvent({ kind: "warning", reason: error.message });
        throw new UnrecoverableError(error.message);
      }
      if (signal.aborted) {
        if (closing === null) {
          report("skipped");
          return null;
        }
        await job.moveToWait(job.token);
        throw new WaitingError();
      }
      if (payload !== null) await failed(job, payload, error);
      throw error;
    } finally {
      running.delete(job.id!);
    }
  };

  /** Reports a failed attempt. The last one ends the job. */
  const failed = async (job: Job, payload: Payload, error: unknown) => {
    const reason = reasonOf(error);
    const last = job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
    onEvent({ kind: "failed", job: payload.job, node: nodeText(payload.node), reason, last });
    if (last) await store.end(payload.job, payload.run, "failed", { node: payload.node, message: reason });
  };

  const guards: Guards = {
    heldBy: (token) => store.heldBy(token),
    async broken(entry, reason) {
      onEvent({ kind: "refused", entry, reason });
      await processor.giveUp(entry, reason);
      await store.dropEntry(entry);
    },
    async failedBefore(job, reason) {
      onEvent({ kind: "refused", entry: String(job.id), reason });
      if (job.stalledCounter <= MAX_STALLED) return;
      const why = `${reason}: ${MAX_STALLED} workers ended while they counted it`;
      await processor.giveUp(String(job.id), why);
    },
  };
  const options: WorkerOptions = {
    connection: patient(address),
    prefix: PREFIX,
    concurrency,
    lockDuration: lockMs,
    stalledInterval: Math.max(1, Math.floor(lockMs / 2)),
    maxStalledCount: MAX_STALLED,
    // Waits before a fetch that failed while Redis was away is repeated.
    runRetryDelay: 500,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 1000 },
  };
  const worker = new GuardedWorker(QUEUE, process, options, guards);
  const warn = throttled((reason) => onEvent({ kind: "warning", reason }));
  worker.on("error", (error) => warn(error.message));

  /** Stops work on jobs that were cancelled, have failed, or run anew. */
  const watch = setInterval(() => {
    for (const [id, payload] of running) {
      void processor.isLive(payload).then(
        (live) => live || worker.cancelJob(id, "ended"),
        () => {},
      );
    }
  }, WATCH_MS);

  const close = async () => {
    clearInterval(watch);
    worker.cancelAllJobs("closing");
    const late = setTimeout(() => redis.disconnect(), CLOSE_MS);
    await Promise.race([worker.close(), new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    clearTimeout(late);
    redis.disconnect();
    await computation.close?.();
  };
  const once = () => {
    closing ??= close();
    return closing;
  };
  await worker.waitUntilReady();
  return { close: once, [Symbol.asyncDispose]: once };
}

/** The code and the message of an error. */
function reasonOf(error: unknown): string {
  if (isPolybinError(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** Reports the same text at most once in ten seconds: a Redis that is away fails every command. */
function throttled(report: (text: string) => void): (text: string) => void {
  const last = new Map<string, number>();
  return (text) => {
    const now = Date.now();
    if (now - (last.get(text) ?? Number.NEGATIVE_INFINITY) < 10_000) return;
    if (last.size > 100) last.clear();
    last.set(text, now);
    report(text);
  };
}

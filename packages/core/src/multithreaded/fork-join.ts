import { Worker } from "node:worker_threads";
import type { CountJob, RunOptions } from "../backend/index.ts";
import { PolybinError } from "../base/index.ts";
import type { Samples } from "../input/index.ts";
import type { ChannelCounts } from "../result/index.ts";
import type { Share, ShareMessage } from "./worker.ts";

// The worker's file is next to this one, in the sources under test and in the built package.
const WORKER = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url);

/**
 * Forks one thread per share, waits for all threads, and returns their counts in the order of the shares. If a thread
 * fails or the signal aborts, the other threads are terminated.
 * @throws ERR_WORKER if a thread dies or throws.
 * @throws the signal's reason if it aborts.
 */
export async function forkJoin(
  job: CountJob,
  shares: readonly Samples[],
  { signal, onProgress }: RunOptions,
): Promise<ChannelCounts[][]> {
  signal?.throwIfAborted();
  const workers: Worker[] = [];
  let aborted: (() => void) | undefined;
  try {
    const abort = new Promise<never>((_, reject) => {
      aborted = () => reject(signal!.reason);
      signal?.addEventListener("abort", aborted, { once: true });
    });
    let done = 0;
    const counted = shares.map((share) => {
      const worker = new Worker(WORKER, {
        workerData: shareFor(job, share),
        // The threads must not inherit command-line flags such as --input-type and --eval.
        execArgv: [],
      });
      workers.push(worker);
      return result(worker, job.plan.algorithm, (pixels) => {
        done += pixels;
        onProgress?.(done);
      });
    });
    return await Promise.race([Promise.all(counted), abort]);
  } finally {
    if (aborted !== undefined) signal?.removeEventListener("abort", aborted);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** Prepares a share for a thread. Shared memory is passed by reference. Other memory is copied, but only the share. */
function shareFor({ axis, channels, plan }: CountJob, samples: Samples): Share {
  const shared =
    typeof SharedArrayBuffer !== "undefined" && samples.bytes.buffer instanceof SharedArrayBuffer;
  return {
    axis,
    channels,
    plan,
    samples: { ...samples, bytes: shared ? samples.bytes : samples.bytes.slice() },
  };
}

function result(
  worker: Worker,
  algorithm: string,
  onDone: (pixels: number) => void,
): Promise<ChannelCounts[]> {
  return new Promise((resolve, reject) => {
    const fail = (what: string, cause?: unknown) =>
      reject(
        new PolybinError("ERR_WORKER", `a counting thread ${what}`, {
          backend: "cpu",
          algorithm,
          cause,
        }),
      );
    worker.on("message", (message: ShareMessage) => {
      if ("done" in message) onDone(message.done);
      else resolve(message.counted);
    });
    worker.on("error", (error: Error) => fail(`failed: ${error.message}`, error));
    worker.on("exit", (code) => fail(`ended with code ${code} before it had counted`));
  });
}

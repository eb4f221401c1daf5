import { Worker } from "node:worker_threads";
import type { CountJob, RunOptions } from "../backend/index.ts";
import { PolybinError } from "../base/index.ts";
import type { Samples } from "../input/index.ts";
import type { ChannelCounts } from "../result/index.ts";
import type { Share, ShareMessage } from "./worker.ts";

// Beside the sources under test, beside the compiled files in the package.
const WORKER = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url);

/**
 * Forks a thread for each share, waits for all, and returns their counts in the order of the shares.
 * When one fails or the signal aborts, the others are ended.
 * @throws ERR_WORKER when a thread dies or throws; the signal's reason when it aborts.
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
        // The command line's own flags (--input-type, --eval …) are not for the threads.
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

/** Shared memory is shared; other memory is copied, and only the share's part of it. */
function shareFor({ axis, channels, plan }: CountJob, samples: Samples): Share {
  const shared = samples.bytes.buffer instanceof SharedArrayBuffer;
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

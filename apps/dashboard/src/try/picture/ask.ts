import { startWorker } from "../start-worker.ts";
import type { FromWorker, Request, ToWorker } from "./counting.ts";
import type { Samples } from "./pixels.ts";

/** Starts a worker that counts. `ended` runs if it fails. */
export function startedWorker(ended: () => void): Worker {
  const worker = startWorker("picture");
  worker.addEventListener("error", ended, { once: true });
  return worker;
}

/** Gives a worker its samples. Their memory moves to it. */
export function give(worker: Worker, samples: Samples): void {
  worker.postMessage({ samples } satisfies ToWorker, [samples.data.buffer]);
}

/** Sends one request and resolves to its answer. A worker answers one request at a time. */
export function asked<T extends FromWorker>(worker: Worker, request: Request): Promise<T> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ("error" in data) reject(new Error(data.error));
      else resolve(data as T);
    };
    worker.onerror = ({ message }) => reject(new Error(message || "the worker could not be started"));
    worker.postMessage(request satisfies ToWorker);
  });
}

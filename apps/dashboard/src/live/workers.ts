import type { FromWorker, ToWorker } from "./count-worker.ts";
import type { Counted } from "./counted.ts";
import type { Pixels } from "./pixels.ts";

const CHANNELS = 4;
const RUNS = 3;
const MOST_WORKERS = 8;

/** As many as the machine runs at once. */
export const MANY: number = Math.max(2, Math.min(navigator.hardwareConcurrency, MOST_WORKERS));

/**
 * Core's CPU backend on Web Workers, each with a band of the rows; their counts are added up. One worker is the CPU
 * that all others are compared with.
 */
export async function countOnWorkers({ data, width, height }: Pixels, threads: number): Promise<Counted> {
  const count = Math.min(threads, height);
  const workers = Array.from({ length: count }, () => {
    return new Worker(new URL("./count-worker.ts", import.meta.url), { type: "module" });
  });
  try {
    const rowBytes = width * CHANNELS;
    const edge = (i: number) => Math.round((height * i) / count) * rowBytes;
    for (const [i, worker] of workers.entries()) {
      const pixels = data.slice(edge(i), edge(i + 1));
      worker.postMessage({ pixels } satisfies ToWorker, [pixels.buffer]);
    }
    const ms: number[] = [];
    let bands: { counts: readonly Float64Array[]; algorithm: string }[] = [];
    for (let run = 0; run < RUNS; run++) {
      const start = performance.now();
      bands = await Promise.all(workers.map(counted));
      ms.push(performance.now() - start);
    }
    const counts = bands[0]!.counts.map((channel, i) =>
      Array.from(channel, (_, value) => bands.reduce((sum, band) => sum + band.counts[i]![value]!, 0)),
    );
    return {
      backend: count === 1 ? "cpu" : "workers",
      device: count === 1 ? "one Web Worker" : `${count} Web Workers`,
      algorithm: bands[0]!.algorithm,
      counts,
      ms,
    };
  } finally {
    for (const worker of workers) worker.terminate();
  }
}

function counted(worker: Worker): Promise<{ counts: readonly Float64Array[]; algorithm: string }> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ("error" in data) reject(new Error(data.error));
      else resolve(data);
    };
    worker.onerror = ({ message }) => reject(new Error(message || "the worker could not be started"));
    worker.postMessage("count" satisfies ToWorker);
  });
}

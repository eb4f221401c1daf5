import type { FromWorker, ToWorker } from "./count-worker.ts";
import type { Counted } from "./counted.ts";
import type { Pixels } from "./pixels.ts";

const CHANNELS = 4;
const RUNS = 3;
const MOST_WORKERS = 8;

/** Number of workers: as many as the machine runs at once, from 2 to 8. */
export const MANY: number = Math.max(2, Math.min(navigator.hardwareConcurrency, MOST_WORKERS));

/** Started with this module and kept. Their script comes from the server, which may have ended when a picture arrives. */
let pool: readonly Worker[] = [];

function fill(): readonly Worker[] {
  const more = Array.from({ length: MANY - pool.length }, started);
  pool = [...pool, ...more];
  return pool;
}

/** Starts a worker. One that fails leaves the pool, and the next picture starts another. */
function started(): Worker {
  const worker = new Worker(new URL("./count-worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("error", () => {
    pool = pool.filter((one) => one !== worker);
  });
  return worker;
}

fill();

let last: Promise<unknown> = Promise.resolve();

/**
 * Counts with core's CPU backend on Web Workers. Each takes a band of the pixels, and their counts are added. One worker
 * is the reference for all other backends. Pictures are counted one at a time, so that none disturbs another's times.
 */
export function countOnWorkers(pixels: Pixels, threads: number): Promise<Counted> {
  const mine = last.then(() => countNow(pixels, threads));
  last = mine.catch(() => {});
  return mine;
}

async function countNow({ data, width, height }: Pixels, threads: number): Promise<Counted> {
  const count = Math.min(threads, width * height);
  const workers = fill().slice(0, count);
  try {
    const edge = (i: number) => Math.round((width * height * i) / count) * CHANNELS;
    for (const [i, worker] of workers.entries()) give(worker, data.slice(edge(i), edge(i + 1)));
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
      backend: threads === 1 ? "cpu" : "workers",
      device: count === 1 ? "one Web Worker" : `${count} Web Workers`,
      algorithm: bands[0]!.algorithm,
      counts,
      ms,
    };
  } finally {
    // Workers stay, but release the picture.
    for (const worker of workers) give(worker, new Uint8ClampedArray());
  }
}

function give(worker: Worker, pixels: Uint8ClampedArray<ArrayBuffer>): void {
  worker.postMessage({ pixels } satisfies ToWorker, [pixels.buffer]);
}

function counted(worker: Worker): Promise<{ counts: readonly Float64Array[]; algorithm: string }> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ("error" in data) reject(new Error(data.error));
      else if ("algorithm" in data) resolve(data);
    };
    worker.onerror = ({ message }) => reject(new Error(message || "the worker could not be started"));
    worker.postMessage("count" satisfies ToWorker);
  });
}

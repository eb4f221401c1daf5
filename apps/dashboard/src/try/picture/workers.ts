import { asked, give, startedWorker } from "./ask.ts";
import type { Counted } from "./counted.ts";
import type { Samples } from "./pixels.ts";

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
  const worker = startedWorker(() => {
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
export function countOnWorkers(samples: Samples, threads: number): Promise<Counted> {
  const mine = last.then(() => countNow(samples, threads));
  last = mine.catch(() => {});
  return mine;
}

async function countNow({ data, channels, width, height }: Samples, threads: number): Promise<Counted> {
  const count = Math.min(threads, width * height);
  const workers = fill().slice(0, count);
  try {
    const edge = (i: number) => Math.round((width * height * i) / count);
    for (const [i, worker] of workers.entries()) {
      const band = data.slice(edge(i) * channels, edge(i + 1) * channels);
      give(worker, { data: band, channels, width: edge(i + 1) - edge(i), height: 1 });
    }
    const ms: number[] = [];
    let bands: { counts: readonly Float64Array[]; algorithm: string }[] = [];
    for (let run = 0; run < RUNS; run++) {
      const start = performance.now();
      bands = await Promise.all(workers.map((worker) => asked<(typeof bands)[number]>(worker, "count")));
      ms.push(performance.now() - start);
    }
    const counts = bands[0]!.counts.map((channel, i) =>
      channel.map((_, value) => bands.reduce((sum, band) => sum + band.counts[i]![value]!, 0)),
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
    for (const worker of workers) give(worker, { data: new Uint8Array(), channels: 1, width: 0, height: 0 });
  }
}

import type { RunOptions } from "../backend/index.ts";
import { Turns } from "../base/index.ts";
import { runs, type Source, STREAM_CHUNK, sourceOf } from "../input/index.ts";
import { remainders } from "../lowering/index.ts";
import { addCounts, noCounts } from "../result/index.ts";
import { type Found, find } from "./count.ts";
import type { Host } from "./host.ts";
import { hostSamples } from "./host-samples.ts";
import type { Job } from "./prepare.ts";

/**
 * Counts samples over an axis with a period. This thread reduces them, piece by piece, and the device counts the
 * remainders.
 * @throws ERR_UNSUPPORTED for samples that this thread cannot read.
 */
export async function findReduced(
  host: Host,
  job: Job,
  source: Source,
  { onProgress, ...options }: RunOptions,
): Promise<Found> {
  const samples = hostSamples(host, source, `a circular axis over ${source.type}`);
  const period = job.counted.period!;
  const whole: Job = { ...job, counted: { ...job.counted, period: null } };
  const counts = job.channels.map(() => noCounts(job.axis.bins));
  const timings = { readMs: 0, uploadMs: 0, kernelMs: 0 };
  const { channels } = samples;
  const turns = new Turns(options.signal);
  let done = 0;
  for (const run of runs(samples, Math.floor(STREAM_CHUNK / Float64Array.BYTES_PER_ELEMENT / channels))) {
    const piece = sourceOf({ data: remainders(run, period), channels });
    const found = await find(host, whole, piece, options);
    for (const [i, of] of counts.entries()) addCounts(of, found.counts[i]!);
    for (const name of ["readMs", "uploadMs", "kernelMs"] as const) timings[name] += found.timings[name];
    done += piece.pixels;
    onProgress?.(done);
    await turns.next();
  }
  return { counts, timings };
}

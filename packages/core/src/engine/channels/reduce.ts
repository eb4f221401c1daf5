import type { RunOptions } from "../../backend/index.ts";
import { Turns } from "../../base/index.ts";
import { runs, type Source, STREAM_CHUNK, sourceOf } from "../../input/index.ts";
import { reduced } from "../../lowering/index.ts";
import { addCounts, noCounts } from "../../result/index.ts";
import type { Job } from "../jobs/prepare.ts";
import { type OpenBackend, readable } from "../opened/open-backend.ts";
import { broughtHome } from "../samples/in-memory.ts";
import { isRounded } from "../samples/rounded-resident.ts";
import type { ChannelsCounts } from "./channels-counts.ts";

/**
 * Counts samples that a device cannot count as they are. This thread converts them to f64, piece by piece, and the device
 * counts the results.
 * @param count makes the device count a piece.
 * @throws ERR_UNSUPPORTED for samples that this thread cannot read or copy.
 */
export async function findReduced(
  opened: OpenBackend,
  job: Job,
  source: Source,
  { onProgress, signal }: RunOptions,
  count: (job: Job, piece: Source) => Promise<ChannelsCounts>,
): Promise<ChannelsCounts> {
  const reduction = job.counted.reduction!;
  const whole: Job = { ...job, counted: { ...job.counted, reduction: null } };
  if (isRounded(opened, source, reduction)) return count(whole, source);
  const samples = await broughtHome(
    opened,
    readable(opened, source),
    `${source.type} over this axis`,
    signal,
  );
  const counts = job.channels.map(() => noCounts(job.axis.bins));
  const timings = { readMs: 0, uploadMs: 0, kernelMs: 0 };
  const { channels } = samples;
  const turns = new Turns(signal);
  let done = 0;
  for (const run of runs(samples, Math.floor(STREAM_CHUNK / Float64Array.BYTES_PER_ELEMENT / channels))) {
    const piece = sourceOf({ data: reduced(run, reduction), channels });
    const found = await count(whole, piece);
    for (const [i, of] of counts.entries()) addCounts(of, found.counts[i]!);
    for (const name of ["readMs", "uploadMs", "kernelMs"] as const) timings[name] += found.timings[name];
    done += piece.pixels;
    onProgress?.(done);
    await turns.next();
  }
  return { counts, timings };
}

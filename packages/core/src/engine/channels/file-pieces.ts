import type { RunOptions } from "../../backend/index.ts";
import { PolybinError } from "../../base/index.ts";
import {
  deviceTypeOf,
  type Extent,
  filePieces,
  joinExtents,
  NO_EXTENT,
  SAMPLE_TYPES,
  type Source,
  sourceOf,
} from "../../input/index.ts";
import { addCounts, noCounts } from "../../result/index.ts";
import type { Job } from "../jobs/prepare.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import type { ChannelsCounts } from "./channels-counts.ts";

/**
 * Returns true for a file that this thread must read: the device reads no files, or does not count the samples as they
 * are.
 */
export function isReadHere(
  { device }: Pick<OpenBackend, "device">,
  { input, type }: Source,
  job?: Job,
): boolean {
  if (input.kind !== "file") return false;
  const isCounted = SAMPLE_TYPES.includes(deviceTypeOf(type));
  return !device.readsFiles || !isCounted || (job !== undefined && job.counted.reduction !== null);
}

/** Counts a file piece by piece. @throws what `filePieces` and `count` throw */
export async function findInFile(
  job: Job,
  source: Source,
  { onProgress, signal }: RunOptions,
  count: (piece: Source) => Promise<ChannelsCounts>,
): Promise<ChannelsCounts> {
  const counts = job.channels.map(() => noCounts(job.axis.bins));
  const timings = { readMs: 0, uploadMs: 0, kernelMs: 0 };
  let done = 0;
  let since = performance.now();
  for await (const piece of piecesOf(source)) {
    timings.readMs += performance.now() - since;
    signal?.throwIfAborted();
    const found = await count(piece);
    for (const [i, of] of counts.entries()) addCounts(of, found.counts[i]!);
    for (const name of ["readMs", "uploadMs", "kernelMs"] as const) timings[name] += found.timings[name];
    done += piece.pixels;
    onProgress?.(done);
    since = performance.now();
  }
  return { counts, timings };
}

/** Finds the finite minimum and maximum of a file piece by piece. @throws what `filePieces` and `extent` throw */
export async function extentInFile(
  source: Source,
  { signal }: RunOptions,
  extent: (piece: Source) => Promise<Extent>,
): Promise<Extent> {
  let all: Extent = NO_EXTENT;
  for await (const piece of piecesOf(source)) {
    signal?.throwIfAborted();
    all = joinExtents(all, await extent(piece));
  }
  return all;
}

/** Yields the pieces of a file. The next one is read while one is counted. */
async function* piecesOf({ input, type, channels }: Source): AsyncGenerator<Source> {
  if (input.kind !== "file") throw new PolybinError("ERR_INTERNAL", "expected a file");
  const pieces = filePieces(input);
  let next = pieces.next();
  try {
    for (;;) {
      const { done, value: data } = await next;
      if (done) return;
      next = pieces.next();
      // The error is thrown where the promise is awaited. Until then it must not count as unhandled.
      next.catch(() => {});
      yield sourceOf({ data, type, channels });
    }
  } finally {
    await pieces.return();
  }
}

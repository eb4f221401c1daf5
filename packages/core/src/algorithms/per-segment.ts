import { BYTE_VALUES, type DeviceLimits, U16_MAX, WORD_BYTES } from "../base/index.ts";
import type { Algorithm, LaunchRequest, LaunchRule } from "../plan/index.ts";
import { SEGMENT_LANES, WORKER_NARROW_CELLS, WORKER_NARROW_LANES, WORKER_WIDE_LANES } from "./lib/limits.ts";
import { segmentLaunch } from "./lib/segment-launch.ts";

/**
 * A table for each segment, so that a segment's counts are a row of the result and nothing is added up across segments.
 *
 *   samples   | segment 0 | segment 1 | segment 2 | ...
 *   tables      [cell]      [cell]      [cell]          a warp's, a block's, or one in each of several blocks
 *   counts      row 0       row 1       row 2
 *
 * All samples are one segment where nothing cuts them. On workers, whole segments are dealt out; a segment's table is
 * several where it is long enough to pay for adding them up.
 */
export const algorithm: Algorithm = {
  slug: "per-segment",
  title: "a table a segment: a warp's, a block's, or several blocks' for long ones",
  source: "polybin",
  parameters: {},
  maxBins: null,
  segments: true,
  launch(request, limits) {
    if (limits.kind === "workers") return workersLaunch(request, limits);
    // Core's own device takes segments one after the other; without any it simulates a GPU.
    if (limits.kind === "cpu" && request.segments) return rowsLaunch(request);
    return segmentLaunch(request, limits);
  },
};

/** One table for one segment after the other. */
function rowsLaunch({ cells }: LaunchRequest): LaunchRule {
  return {
    threads: 1,
    blocks: 1,
    replicas: 1,
    counterBits: 32,
    cellsPerPass: cells,
    sharedBytes: cells * Uint32Array.BYTES_PER_ELEMENT,
    wordsPerThread: null,
  };
}

/** Several tables pay from about as many samples on as one has cells. */
function workersLaunch({ cells, samples, segments }: LaunchRequest, { units }: DeviceLimits): LaunchRule {
  const longest = segments?.longest ?? samples;
  const launch = (replicas: number, counterBits: 16 | 32): LaunchRule => ({
    threads: 1,
    blocks: units,
    replicas,
    counterBits,
    cellsPerPass: cells,
    sharedBytes: (replicas * cells * counterBits) / 8,
    // A table has one sample in `replicas` of them.
    wordsPerThread: counterBits === 16 ? Math.floor((U16_MAX * replicas) / WORD_BYTES) : null,
  });
  if (longest < cells) return launch(1, 32);
  if (cells <= BYTE_VALUES) return launch(SEGMENT_LANES, 16);
  return launch(cells <= WORKER_NARROW_CELLS ? WORKER_NARROW_LANES : WORKER_WIDE_LANES, 32);
}

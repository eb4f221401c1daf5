import { BYTE_VALUES, type DeviceLimits, U16_MAX, WORD_BYTES } from "../base/index.ts";
import type { Algorithm, LaunchRequest, LaunchRule } from "../plan/index.ts";
import { SEGMENT_LANES, WORKER_NARROW_CELLS, WORKER_NARROW_LANES, WORKER_WIDE_LANES } from "./lib/limits.ts";
import { segmentLaunch } from "./lib/segment-launch.ts";

/**
 * Keeps one table per segment, so that a segment's counts are a row of the result and no counts are added across
 * segments.
 *
 *   samples   | segment 0 | segment 1 | segment 2 | ...
 *   tables      [cell]      [cell]      [cell]          of a warp, of a block, or one in each of several blocks
 *   counts      row 0       row 1       row 2
 *
 * Without segments, all samples form one segment. Workers get whole segments. A long segment has several tables, if
 * adding them up pays.
 */
export const algorithm: Algorithm = {
  slug: "per-segment",
  title: "one table per segment, counted by a warp, a block, or several blocks for long segments",
  source: "polybin",
  parameters: {},
  maxBins: null,
  segments: true,
  launch(request, limits) {
    if (limits.kind === "workers") return workersLaunch(request, limits);
    // Core's own device counts segments sequentially. Without segments it simulates a GPU.
    if (limits.kind === "cpu" && request.segments) return rowsLaunch(request);
    return segmentLaunch(this.slug, request, limits);
  },
};

/** Launches one table that counts the segments one after the other. */
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

/** Several tables pay from about as many samples as one table has cells. */
function workersLaunch({ cells, samples, segments }: LaunchRequest, { units }: DeviceLimits): LaunchRule {
  const longest = segments?.longest ?? samples;
  const launch = (replicas: number, counterBits: 16 | 32): LaunchRule => ({
    threads: 1,
    blocks: units,
    replicas,
    counterBits,
    cellsPerPass: cells,
    sharedBytes: (replicas * cells * counterBits) / 8,
    // A table counts one of `replicas` samples.
    wordsPerThread: counterBits === 16 ? Math.floor((U16_MAX * replicas) / WORD_BYTES) : null,
  });
  if (longest < cells) return launch(1, 32);
  if (cells <= BYTE_VALUES) return launch(SEGMENT_LANES, 16);
  return launch(cells <= WORKER_NARROW_CELLS ? WORKER_NARROW_LANES : WORKER_WIDE_LANES, 32);
}

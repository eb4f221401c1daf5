import { BYTE_VALUES, type DeviceLimits, U16_MAX, WORD_BYTES } from "../base/index.ts";
import type { Algorithm, LaunchRequest, LaunchRule } from "../plan/index.ts";
import { PackedCounters } from "./lib/counters.ts";
import { countInTurn } from "./lib/in-turn.ts";
import { SEGMENT_LANES, WORKER_NARROW_CELLS, WORKER_NARROW_LANES, WORKER_WIDE_LANES } from "./lib/limits.ts";
import { type SegmentGrid, segmentLaunch } from "./lib/segment-launch.ts";
import { eachCode, gridWords, inPasses } from "./lib/shared.ts";

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
    return segmentLaunch(request, limits);
  },
  reference(codes, launch, cells) {
    const { threads, replicas, counterBits, cellsPerPass, wordsPerThread } = launch;
    if (threads === 1) return countInTurn(codes, launch, cells);
    const { threadsPerSegment, blocksPerSegment } = launch.own as SegmentGrid;
    const perWord = 32 / counterBits;
    return inPasses(codes, cells, cellsPerPass, (window, count) => {
      const out = new Float64Array(count);
      for (let block = 0; block < blocksPerSegment; block++) {
        const table = new PackedCounters(counterBits, Math.ceil((count * replicas) / perWord));
        const flush = () => {
          for (let at = 0; at < count * replicas; at++) {
            out[Math.floor(at / replicas)]! += table.get(Math.floor(at / perWord), at % perWord) >>> 0;
          }
          table.words.fill(0);
        };
        const threads = Array.from({ length: threadsPerSegment }, (_, thread) =>
          gridWords(window.length, threadsPerSegment, blocksPerSegment, block, thread),
        );
        // Threads advance step by step, and all flush before a counter of their shared table could overflow.
        for (let step = 0, ended = 0; ended < threads.length; step++) {
          if (wordsPerThread !== null && step > 0 && step % wordsPerThread === 0) flush();
          ended = 0;
          for (const [thread, words] of threads.entries()) {
            const { done, value: word } = words.next();
            if (done) ended++;
            else {
              eachCode(window, word, count, (code) => {
                const at = code * replicas + (thread % replicas);
                table.increment(Math.floor(at / perWord), at % perWord);
              });
            }
          }
        }
        flush();
      }
      return out;
    });
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

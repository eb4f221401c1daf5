import type { Launch } from "../../plan/index.ts";
import { PackedCounters } from "../lib/counters.ts";
import { countInTurn } from "../lib/in-turn.ts";
import type { SegmentGrid } from "../lib/segment-launch.ts";
import { eachCode, gridWords, inPasses } from "../lib/simulate.ts";

/** Simulates `per-segment`, step by step. */
export function reference(codes: Uint32Array, launch: Launch, cells: number): Float64Array {
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
}

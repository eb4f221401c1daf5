import { PackedCounters } from "../counters.ts";
import { PER_LANE_THREADS } from "../limits.ts";
import type { Algorithm } from "../plan.ts";
import { cellsThatFit, eachCode, gridWords, inPasses, tablesThatFit, tooLittleShared } from "./shared.ts";

const CELL_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/**
 * A replica of the histogram for each bank of shared memory, interleaved, so that the lanes of a warp
 * never meet, neither in a bin nor in a bank, whatever the data.
 *
 *   words:  h[bin * R + lane mod R];   with R = banks the bank is the lane
 *
 * On workers: several tables that take turns at neighbouring samples, so that equal neighbours need not
 * wait for one another's store.
 */
export const perLane: Algorithm = {
  slug: "per-lane",
  title: "a replica a bank: no lane waits for another, whatever the data",
  source: "polybin",
  parameters: {},
  maxBins: null,
  launch({ cells }, limits) {
    const { kind, banks, units, blockThreads, warp } = limits;
    // Past what a replica a bank needs, half as many, and so on; past what one needs, passes.
    let replicas = banks;
    while (replicas > 1 && tablesThatFit(cells * CELL_BYTES, replicas, limits) < replicas) {
      replicas = Math.floor(replicas / 2);
    }
    const cellsPerPass = cellsThatFit(cells, replicas * CELL_BYTES, limits);
    if (cellsPerPass === 0) return tooLittleShared("per-lane", CELL_BYTES, limits);
    return {
      threads: kind === "workers" ? 1 : Math.max(warp, Math.min(PER_LANE_THREADS, blockThreads)),
      blocks: units,
      replicas,
      counterBits: 32,
      cellsPerPass,
      sharedBytes: cellsPerPass * replicas * CELL_BYTES,
      wordsPerThread: null,
    };
  },
  reference(codes, { threads, blocks, replicas, cellsPerPass }, cells) {
    return inPasses(codes, cells, cellsPerPass, (window, count) => {
      const out = new Float64Array(count);
      for (let block = 0; block < blocks; block++) {
        const table = new PackedCounters(32, count * replicas);
        for (let thread = 0; thread < threads; thread++) {
          const lane = thread % replicas;
          for (const word of gridWords(window.length, threads, blocks, block, thread)) {
            eachCode(window, word, count, (code) => table.increment(code * replicas + lane, 0));
          }
        }
        for (let i = 0; i < table.words.length; i++) out[Math.floor(i / replicas)]! += table.words[i]!;
      }
      return out;
    });
  },
};

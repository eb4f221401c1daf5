import { BLOCK_THREADS } from "../base/index.ts";
import type { Algorithm } from "../plan/index.ts";
import { blocksThatFill, eachCode, gridWords } from "./lib/shared.ts";

type Own = { readonly longest: number };

/**
 * A thread counts equal samples that follow one another in a register, and adds a run to the histogram at its end.
 *
 *   a thread's samples   5 5 5 5 2 2 9 …   ->   histogram[5] += 4, histogram[2] += 2, histogram[9] += …
 */
export const algorithm: Algorithm<Own> = {
  slug: "run-length",
  title: "one histogram, one addition for each run of equal samples",
  source: "the example of docs/adding-an-algorithm.md",
  parameters: {
    longest: { title: "samples of a run, at most", default: 1024, least: 1, most: 65_535 },
  },
  maxBins: null,
  launch({ cells, samples }, limits) {
    const threads = limits.kind === "workers" ? 1 : Math.min(BLOCK_THREADS, limits.blockThreads);
    return {
      threads,
      blocks: blocksThatFill(threads, 0, samples, limits),
      replicas: 1,
      counterBits: 32,
      cellsPerPass: cells,
      sharedBytes: 0,
      wordsPerThread: null,
    };
  },
  reference(codes, { threads, blocks, parameters: { longest } }, cells) {
    const histogram = new Float64Array(cells);
    for (let block = 0; block < blocks; block++) {
      for (let thread = 0; thread < threads; thread++) {
        let last = 0;
        let run = 0;
        const end = () => {
          histogram[last]! += run;
          run = 0;
        };
        for (const word of gridWords(codes.length, threads, blocks, block, thread)) {
          eachCode(codes, word, cells, (code) => {
            if (code !== last || run === longest) end();
            last = code;
            run++;
          });
        }
        end();
      }
    }
    return histogram;
  },
};

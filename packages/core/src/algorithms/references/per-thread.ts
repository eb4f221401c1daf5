import type { Launch } from "../../plan/index.ts";
import { BlockSums } from "../lib/block-sums.ts";
import { PackedCounters } from "../lib/counters.ts";
import { eachCode, gridWords, inPasses } from "../lib/simulate.ts";

/** Simulates `per-thread`, step by step. */
export function reference(codes: Uint32Array, launch: Launch, cells: number): Float64Array {
  return inPasses(codes, cells, launch.cellsPerPass, (window, count) => {
    const out = new BlockSums(count, launch);
    const { threads, blocks } = launch;
    for (let block = 0; block < blocks; block++) {
      for (let thread = 0; thread < threads; thread++) {
        const { counterBits, wordsPerThread } = launch;
        const perWord = 32 / counterBits;
        const column = new PackedCounters(counterBits, Math.ceil(count / perWord));
        const add = (cell: number, sum: number) => out.add(block, cell, sum);
        let binned = 0;
        for (const word of gridWords(window.length, threads, blocks, block, thread)) {
          if (binned === wordsPerThread) {
            flushColumn(column, counterBits, count, add);
            binned = 0;
          }
          eachCode(window, word, count, (code) =>
            column.increment(Math.floor(code / perWord), code % perWord),
          );
          binned++;
        }
        flushColumn(column, counterBits, count, add);
      }
    }
    return out.counts();
  });
}

/** Adds a column's counters up, and sets them to zero. */
function flushColumn(
  column: PackedCounters,
  bits: 8 | 16 | 32,
  cells: number,
  add: (cell: number, sum: number) => void,
): void {
  const perWord = 32 / bits;
  for (let cell = 0; cell < cells; cell++) {
    add(cell, column.get(Math.floor(cell / perWord), cell % perWord) >>> 0);
  }
  column.words.fill(0);
}

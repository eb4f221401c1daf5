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
        let column = new PackedCounters(launch.counterBits, Math.ceil(count / (32 / launch.counterBits)));
        let binned = 0;
        const flush = () => {
          addColumn(column, launch.counterBits, count, (cell, sum) => out.add(block, cell, sum));
          column = new PackedCounters(launch.counterBits, column.words.length);
          binned = 0;
        };
        const perWord = 32 / launch.counterBits;
        for (const word of gridWords(window.length, threads, blocks, block, thread)) {
          if (binned === launch.wordsPerThread) flush();
          eachCode(window, word, count, (code) =>
            column.increment(Math.floor(code / perWord), code % perWord),
          );
          binned++;
        }
        flush();
      }
    }
    return out.counts();
  });
}

function addColumn(
  column: PackedCounters,
  bits: 8 | 16 | 32,
  cells: number,
  add: (cell: number, sum: number) => void,
): void {
  const perWord = 32 / bits;
  for (let cell = 0; cell < cells; cell++) {
    add(cell, column.get(Math.floor(cell / perWord), cell % perWord) >>> 0);
  }
}

import { WORD_BYTES } from "../../base/index.ts";
import type { Launch } from "../../plan/index.ts";
import { PackedCounters } from "../lib/counters.ts";
import { BlockSums } from "../lib/partials.ts";
import { eachCode, gridWords } from "../lib/simulate.ts";

/** Simulates `per-thread-64`, step by step. */
export function reference(codes: Uint32Array, launch: Launch): Float64Array {
  const { threads, blocks, cellsPerPass: cells } = launch;
  const out = new BlockSums(cells, launch);
  const wordsARow = threads / WORD_BYTES;
  for (let block = 0; block < blocks; block++) {
    const rows = new PackedCounters(8, cells * wordsARow);
    for (let thread = 0; thread < threads; thread++) {
      const column = swizzle(thread);
      for (const word of gridWords(codes.length, threads, blocks, block, thread)) {
        eachCode(codes, word, cells, (code) =>
          rows.increment(code * wordsARow + Math.floor(column / WORD_BYTES), column % WORD_BYTES),
        );
      }
    }
    sumRows(rows, threads, cells, (bin, sum) => out.add(block, bin, sum));
  }
  return out.counts();
}

/**
 * Returns a thread's column: bits [5:4] become [1:0], bits [3:0] become [5:2]. A bijection on each group of 64
 * threads.
 */
export function swizzle(thread: number): number {
  return (thread & ~63) | ((thread & 15) << 2) | ((thread & 48) >> 4);
}

/** Thread t adds up row t, starting four bytes after its neighbour so that their banks differ. */
function sumRows(
  rows: PackedCounters,
  threads: number,
  cells: number,
  add: (bin: number, sum: number) => void,
): void {
  const banks = 16;
  for (let thread = 0; thread < cells; thread++) {
    let sum = 0;
    let column = WORD_BYTES * (thread % banks);
    for (let i = 0; i < threads; i++) {
      sum += rows.get((thread * threads + column) >>> 2, column % WORD_BYTES);
      column = (column + 1) % threads;
    }
    add(thread, sum);
  }
}

import { WORD_BYTES } from "../../base/index.ts";
import type { Launch } from "../../plan/index.ts";
import { BlockSums } from "../lib/block-sums.ts";
import { PackedCounters } from "../lib/counters.ts";
import { eachCode, gridWords } from "../lib/simulate.ts";

/** Simulates `per-thread-64`, step by step. */
export function reference(codes: Uint32Array, launch: Launch): Float64Array {
  const { threads, blocks, cellsPerPass: cells, own } = launch;
  const out = new BlockSums(cells, launch);
  const banks = own!.banks!;
  const wordsARow = threads / WORD_BYTES;
  for (let block = 0; block < blocks; block++) {
    const rows = new PackedCounters(8, cells * wordsARow);
    for (let thread = 0; thread < threads; thread++) {
      const column = swizzle(thread, banks);
      for (const word of gridWords(codes.length, threads, blocks, block, thread)) {
        eachCode(codes, word, cells, (code) =>
          rows.increment(code * wordsARow + Math.floor(column / WORD_BYTES), column % WORD_BYTES),
        );
      }
    }
    sumRows(rows, threads, banks, cells, (bin, sum) => out.add(block, bin, sum));
  }
  return out.counts();
}

/**
 * Returns a thread's column: its place among as many neighbours as there are banks becomes the word, and the next two
 * bits become the byte. A bijection on each group of four threads per bank.
 */
export function swizzle(thread: number, banks: number): number {
  const place = thread % (WORD_BYTES * banks);
  return thread - place + (place % banks) * WORD_BYTES + Math.floor(place / banks);
}

/** Thread t adds up row t, starting four bytes after its neighbour so that their banks differ. */
function sumRows(
  rows: PackedCounters,
  threads: number,
  banks: number,
  cells: number,
  add: (bin: number, sum: number) => void,
): void {
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

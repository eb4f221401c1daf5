import { WORD_BYTES } from "../../base/index.ts";
import type { Launch } from "../../plan/index.ts";
import { BlockSums } from "../lib/block-sums.ts";
import { PackedCounters, PairSums, SingletonSums } from "../lib/counters.ts";
import { trishLoops } from "../lib/limits.ts";
import { eachCode } from "../lib/simulate.ts";
import { TRISH_BINS, TRISH_THREADS } from "../trish.ts";

const THREADS = TRISH_THREADS;

const SHARED_BYTES: number = THREADS * TRISH_BINS;

type Own = { readonly k: number; readonly rowSums: "pairs" | "singletons" };

/** Simulates `trish`, step by step. */
export function reference(codes: Uint32Array, launch: Launch<Own>, cells: number): Float64Array {
  const sums = new BlockSums(cells, launch);
  for (let block = 0; block < launch.blocks; block++) {
    for (const [bin, count] of countBlock(codes, launch, cells, block).entries()) sums.add(block, bin, count);
  }
  return sums.counts();
}

/** Runs the Count kernel (Figure 5) of one block. @returns its histogram of 256 bins. */
function countBlock(
  codes: Uint32Array,
  { blocks, parameters: { k, rowSums } }: Launch<Own>,
  cells: number,
  block: number,
): Float64Array {
  const registers = new Float64Array(TRISH_BINS);
  let shared = new PackedCounters(8, SHARED_BYTES / WORD_BYTES);
  const words = Math.ceil(codes.length / WORD_BYTES);
  const stride = THREADS * k * blocks;
  let loops = 0;
  for (let first = block * THREADS * k; first < words; first += stride) {
    if (loops === trishLoops(k)) {
      accumulate(shared, registers, rowSums);
      shared = new PackedCounters(8, shared.words.length);
      loops = 0;
    }
    for (let i = 0; i < k; i++) {
      for (let thread = 0; thread < THREADS; thread++) {
        const word = first + i * THREADS + thread;
        eachCode(codes, word, cells, (code) =>
          shared.increment(Math.floor(code / WORD_BYTES) * THREADS + thread, code % WORD_BYTES),
        );
      }
    }
    loops++;
  }
  accumulate(shared, registers, rowSums);
  return registers;
}

/** Sums the rows: staggered start, circular indexing (Figure 3), pairs of 16 bits or singletons (section 5.3). */
function accumulate(shared: PackedCounters, registers: Float64Array, rowSums: Own["rowSums"]): void {
  for (let thread = 0; thread < THREADS; thread++) {
    const row = rowSums === "pairs" ? new PairSums() : new SingletonSums();
    for (let i = 0, column = thread; i < THREADS; i++, column = (column + 1) % THREADS) {
      row.add(shared.words[thread * THREADS + column]!);
    }
    for (let slot = 0; slot < WORD_BYTES; slot++) registers[thread * WORD_BYTES + slot]! += row.sums[slot]!;
  }
}

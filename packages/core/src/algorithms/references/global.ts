import type { Launch } from "../../plan/index.ts";
import { PackedCounters } from "../lib/counters.ts";
import { eachCode, gridWords } from "../lib/simulate.ts";

/** Simulates `global`, step by step. */
export function reference(codes: Uint32Array, { threads, blocks }: Launch, cells: number): Float64Array {
  const histogram = new PackedCounters(32, cells);
  for (let block = 0; block < blocks; block++) {
    for (let thread = 0; thread < threads; thread++) {
      for (const word of gridWords(codes.length, threads, blocks, block, thread)) {
        eachCode(codes, word, cells, (code) => histogram.increment(code, 0));
      }
    }
  }
  return Float64Array.from(histogram.words);
}

import type { Launch } from "../../plan/index.ts";
import { PackedCounters } from "../lib/counters.ts";
import { eachCode, gridWords, inPasses } from "../lib/simulate.ts";

/** Simulates `per-block`, step by step. */
export function reference(
  codes: Uint32Array,
  { threads, blocks, cellsPerPass }: Launch,
  cells: number,
): Float64Array {
  return inPasses(codes, cells, cellsPerPass, (window, count) => {
    const out = new Float64Array(count);
    for (let block = 0; block < blocks; block++) {
      const table = new PackedCounters(32, count);
      for (let thread = 0; thread < threads; thread++) {
        for (const word of gridWords(window.length, threads, blocks, block, thread)) {
          eachCode(window, word, count, (code) => table.increment(code, 0));
        }
      }
      for (let cell = 0; cell < count; cell++) out[cell]! += table.words[cell]!;
    }
    return out;
  });
}

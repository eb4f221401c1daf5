import { WARP_THREADS, WORD_BYTES } from "../../base/index.ts";
import type { Launch } from "../../plan/index.ts";
import { TILE_WORDS } from "../bank-owned.ts";
import { PackedCounters } from "../lib/counters.ts";
import { eachCode, inPasses } from "../lib/simulate.ts";

const THREADS = WARP_THREADS;

/** Simulates `bank-owned`, step by step. */
export function reference(codes: Uint32Array, { blocks, cellsPerPass }: Launch, cells: number): Float64Array {
  return inPasses(codes, cells, cellsPerPass, (window, count) => {
    const out = new Float64Array(count);
    const words = Math.ceil(window.length / WORD_BYTES);
    for (let block = 0; block < blocks; block++) {
      const table = new PackedCounters(32, count);
      for (let tile = block * TILE_WORDS; tile < words; tile += blocks * TILE_WORDS) {
        for (let thread = 0; thread < THREADS; thread++) {
          for (let i = 0; i < TILE_WORDS; i++) {
            const row = Math.floor(i / THREADS) * THREADS;
            const word = tile + row + ((i + thread) % THREADS);
            eachCode(window, word, count, (code) => {
              if (code % THREADS === thread) table.increment(code, 0);
            });
          }
        }
      }
      for (let cell = 0; cell < count; cell++) out[cell]! += table.words[cell]!;
    }
    return out;
  });
}

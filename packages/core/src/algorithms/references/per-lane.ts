import type { Launch } from "../../plan/index.ts";
import { PackedCounters } from "../lib/counters.ts";
import { countInTurn } from "../lib/in-turn.ts";
import { eachCode, gridWords, inPasses } from "../lib/simulate.ts";

/** Simulates `per-lane`, step by step. */
export function reference(codes: Uint32Array, launch: Launch, cells: number): Float64Array {
  const { threads, blocks, replicas, cellsPerPass, own } = launch;
  if (own?.grouping === 2) return countPairs(codes, replicas, cells);
  if (threads === 1) return countInTurn(codes, launch, cells);
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
}

/** Counts pairs of neighbouring cells at first + cells * second. An odd last sample is counted alone. */
function countPairs(codes: Uint32Array, replicas: number, cells: number): Float64Array {
  const out = new Float64Array(cells);
  const found = codes.filter((code) => code < cells);
  const tables = Array.from({ length: replicas }, () => new PackedCounters(32, cells * cells));
  for (let i = 0; i + 1 < found.length; i += 2) {
    tables[(i / 2) % replicas]!.increment(found[i]! + cells * found[i + 1]!, 0);
  }
  if (found.length % 2 === 1) out[found.at(-1)!]! += 1;
  for (const { words } of tables) {
    for (let pair = 0; pair < words.length; pair++) {
      out[pair % cells]! += words[pair]!;
      out[Math.floor(pair / cells)]! += words[pair]!;
    }
  }
  return out;
}

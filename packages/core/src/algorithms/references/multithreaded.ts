import { divideCeiling } from "../../base/index.ts";
import type { Launch } from "../../plan/index.ts";
import { PackedCounters } from "../lib/counters.ts";

/** Simulates `multithreaded`, step by step. */
export function reference(codes: Uint32Array, { threads }: Launch, cells: number): Float64Array {
  const out = new Float64Array(cells);
  const share = divideCeiling(codes.length, threads);
  for (let thread = 0; thread < threads; thread++) {
    const table = new PackedCounters(32, cells);
    for (const code of codes.subarray(thread * share, (thread + 1) * share)) {
      if (code < cells) table.increment(code, 0);
    }
    for (let cell = 0; cell < cells; cell++) out[cell]! += table.words[cell]!;
  }
  return out;
}

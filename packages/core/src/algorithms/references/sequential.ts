import type { Launch } from "../../plan/index.ts";

/** Simulates `sequential`, step by step. */
export function reference(codes: Uint32Array, _launch: Launch, cells: number): Float64Array {
  const counts = new Uint32Array(cells);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code < cells) counts[code] = counts[code]! + 1;
  }
  return Float64Array.from(counts);
}

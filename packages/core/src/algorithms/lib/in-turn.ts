import { WORD_BYTES } from "../../base/index.ts";
import type { Launch } from "../../plan/index.ts";
import { PackedCounters } from "./counters.ts";

/** Counts every `replicas`-th sample in lane j. Full lanes are added up and cleared. */
export function countInTurn(
  codes: Uint32Array,
  { replicas, counterBits, wordsPerThread }: Launch,
  cells: number,
): Float64Array {
  const out = new Float64Array(cells);
  const perFold = wordsPerThread === null ? codes.length : wordsPerThread * WORD_BYTES;
  const perWord = 32 / counterBits;
  for (let first = 0; first < codes.length; first += perFold) {
    const lanes = new PackedCounters(counterBits, Math.ceil((cells * replicas) / perWord));
    const part = codes.subarray(first, first + perFold);
    part.forEach((code, i) => {
      const at = code * replicas + (i % replicas);
      if (code < cells) lanes.increment(Math.floor(at / perWord), at % perWord);
    });
    for (let at = 0; at < cells * replicas; at++) {
      out[Math.floor(at / replicas)]! += lanes.get(Math.floor(at / perWord), at % perWord) >>> 0;
    }
  }
  return out;
}

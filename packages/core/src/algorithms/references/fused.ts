import type { Launch } from "../../plan/index.ts";
import { FUSED_SPILL } from "../fused.ts";
import { PackedCounters } from "../lib/counters.ts";
import { eachCode, gridWords, inPasses } from "../lib/simulate.ts";

/** Simulates `fused`, step by step, on the cells of the samples. */
export function reference(codes: Uint32Array, launch: Launch, cells: number): Float64Array {
  const { threads, blocks, replicas, counterBits, sharedBytes, cellsPerPass } = launch;
  const perWord = 32 / counterBits;
  return inPasses(codes, cells, cellsPerPass, (window, count) => {
    const out = new Float64Array(count);
    const newTable = () => new PackedCounters(counterBits, Math.ceil((count * replicas) / perWord));
    const move = (table: PackedCounters): void => {
      for (let at = 0; at < count * replicas; at++) {
        out[Math.floor(at / replicas)]! += table.get(Math.floor(at / perWord), at % perWord) >>> 0;
      }
    };
    // Without shared memory, all blocks count in the same table.
    const shared = sharedBytes === 0 ? newTable() : null;
    for (let block = 0; block < blocks; block++) {
      const table = shared ?? newTable();
      for (let thread = 0; thread < threads; thread++) {
        const lane = thread % replicas;
        for (const word of gridWords(window.length, threads, blocks, block, thread)) {
          eachCode(window, word, count, (cell) => {
            const at = cell * replicas + lane;
            const [of, slot] = [Math.floor(at / perWord), at % perWord];
            table.increment(of, slot);
            if (counterBits === 16 && table.subtract(of, slot, FUSED_SPILL)) out[cell]! += FUSED_SPILL;
          });
        }
      }
      if (shared === null) move(table);
    }
    if (shared !== null) move(shared);
    return out;
  });
}

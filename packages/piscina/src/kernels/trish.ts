import type { Kernel } from "./kernel.ts";

/** Launches trish.as.ts: byte counters of 64 threads, k words a thread a loop. At most 256 cells. */
export const trish: Kernel = {
  count: (wasm, { address, count }, { k }) => wasm.count_trish_u8(address, count, k!),
  finish: (wasm) => wasm.finish_trish(),
};

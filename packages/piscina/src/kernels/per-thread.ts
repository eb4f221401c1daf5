import type { Kernel } from "./kernel.ts";

/** Launches per-thread.as.ts: one table, no replicas. */
export const perThread: Kernel = {
  count(wasm, { address, count, bytes }) {
    if (bytes === 1) wasm.count_per_thread_u8(address, count);
    else wasm.count_per_thread_u16(address, count);
  },
  finish: () => {},
};

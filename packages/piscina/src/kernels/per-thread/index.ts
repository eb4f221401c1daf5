import { algorithms } from "@polybin/core/backend";
import type { Kernel } from "../lib/kernel.ts";

/** The exports of kernel.as.ts. */
interface Exports {
  count_per_thread_u8(address: number, count: number): void;
  count_per_thread_u16(address: number, count: number): void;
}

/** Runs kernel.as.ts: one table, no replicas. */
export const kernel: Kernel<Exports> = {
  algorithm: algorithms["per-thread"],

  count(wasm, { address, count, bytes }) {
    if (bytes === 1) wasm.count_per_thread_u8(address, count);
    else wasm.count_per_thread_u16(address, count);
  },
  finish: () => {},
};

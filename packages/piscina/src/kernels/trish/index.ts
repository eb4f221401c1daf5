import { algorithms } from "@polybin/core/backend";
import type { Kernel } from "../lib/kernel.ts";

/** The exports of kernel.as.ts. */
interface Own {
  count_trish_u8(address: number, count: number, k: number): void;
  finish_trish(): void;
}

/** Runs kernel.as.ts: byte counters of 64 threads, k words per thread and loop. At most 256 cells. */
export const kernel: Kernel<Own> = {
  algorithm: algorithms.trish,

  count: (wasm, { address, count }, { parameters }) =>
    wasm.count_trish_u8(address, count, Number(parameters.k)),
  finish: (wasm) => wasm.finish_trish(),
};

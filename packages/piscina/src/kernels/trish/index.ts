import type { ChannelsPlan } from "@polybin/core";
import { algorithms } from "@polybin/core/backend";
import type { Kernel } from "../lib/kernel.ts";

/** The exports of kernel.as.ts. */
interface Exports {
  count_trish_u8(address: number, count: number, k: number, pairs: number): void;
  finish_trish(pairs: number): void;
}

/** Whether row sums add pairs, as a number of WebAssembly. */
const pairsOf = ({ rowSums }: ChannelsPlan["parameters"]): number => Number(rowSums === "pairs");

/** Runs kernel.as.ts: byte counters of 64 threads, k words per thread and loop. At most 256 cells. */
export const kernel: Kernel<Exports> = {
  algorithm: algorithms.trish,

  count: (wasm, { address, count }, { parameters }) =>
    wasm.count_trish_u8(address, count, Number(parameters.k), pairsOf(parameters)),
  finish: (wasm, _codeBytes, { parameters }) => wasm.finish_trish(pairsOf(parameters)),
};

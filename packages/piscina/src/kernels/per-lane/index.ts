import { algorithms, type WorkerTables } from "@polybin/core/backend";
import { copyTo } from "../../platform/index.ts";
import type { FusedKernel, Kernel } from "../lib/kernel.ts";
import { type Lanes, loadLanes } from "../lib/rows/lanes.ts";
import { type Setup, setupOf } from "../lib/rows/setup.ts";

/** The exports of kernel.as.ts. */
interface Exports extends Lanes {
  count_per_lane_bytes_u8(address: number, count: number): void;
  count_per_lane_pairs_u8(address: number, count: number): void;
  finish_per_lane_u8(): void;
  lanes_rows(rows: number): void;
  lanes_gather_16: Gather;
  lanes_gather_32: Gather;
  lanes_gather_64: Gather;
  lanes_clear(): void;
  lanes_finish(): void;
}

type Gather = (address: number, samples: number, stride: number) => number;

/** Runs the kernels of wider samples. The set-up has the kernel's name. */
const fused: FusedKernel<Exports, Setup> = {
  setup: setupOf,
  load(wasm, setup) {
    loadLanes(wasm, setup);
    if (setup.lowering !== null) copyTo(wasm.memory, wasm.lowering, setup.lowering);
    if (setup.starts !== null) copyTo(wasm.memory, wasm.starts, setup.starts);
  },
  begin: (wasm, { rows }) => wasm.lanes_rows(rows),
  count(wasm, { count }, address, samples) {
    const counts = wasm as unknown as Record<string, (address: number, samples: number) => void>;
    counts[count]!(address, samples);
  },
  gather(wasm, address, samples, { bytes, interleaved }) {
    const gather =
      bytes === 2 ? wasm.lanes_gather_16 : bytes === 4 ? wasm.lanes_gather_32 : wasm.lanes_gather_64;
    return gather(address, samples, interleaved);
  },
  clear: (wasm) => wasm.lanes_clear(),
  finish: (wasm) => wasm.lanes_finish(),
};

/** Runs kernel.as.ts: several tables, which are used in turn. */
export const kernel: Kernel<Exports> = {
  algorithm: algorithms["per-lane"],
  fused,

  count(wasm, { address, count }, { own }) {
    if ((own as WorkerTables).grouping === 2) wasm.count_per_lane_pairs_u8(address, count);
    else wasm.count_per_lane_bytes_u8(address, count);
  },
  finish: (wasm) => wasm.finish_per_lane_u8(),
};

import { algorithms, type WorkerTables } from "@polybin/core/backend";
import type { Kernel } from "../lib/kernel.ts";

/** What kernel.as.ts exports. */
interface Own {
  count_per_lane_bytes_u8(address: number, count: number): void;
  count_per_lane_pairs_u8(address: number, count: number): void;
  finish_per_lane_u8(): void;
  count_per_lane_u16(address: number, count: number, cells: number): void;
  finish_per_lane_u16(cells: number): void;
}

/** Launches per-lane.as.ts: several tables that take turns. */
export const kernel: Kernel<Own> = {
  algorithm: algorithms["per-lane"],

  count(wasm, { address, count, bytes }, { cells, own }) {
    if (bytes === 2) wasm.count_per_lane_u16(address, count, cells);
    else if ((own as WorkerTables).grouping === 2) wasm.count_per_lane_pairs_u8(address, count);
    else wasm.count_per_lane_bytes_u8(address, count);
  },
  finish(wasm, codeBytes, { cells }) {
    if (codeBytes === 1) wasm.finish_per_lane_u8();
    else wasm.finish_per_lane_u16(cells);
  },
};

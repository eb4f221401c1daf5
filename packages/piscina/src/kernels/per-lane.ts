import type { Kernel } from "./kernel.ts";

/** Launches per-lane.as.ts: several tables that take turns. */
export const perLane: Kernel = {
  count(wasm, { address, count, bytes }, { cells, grouping }) {
    if (bytes === 2) wasm.count_per_lane_u16(address, count, cells);
    else if (grouping === 2) wasm.count_per_lane_pairs_u8(address, count);
    else wasm.count_per_lane_bytes_u8(address, count);
  },
  finish(wasm, codeBytes, { cells }) {
    if (codeBytes === 1) wasm.finish_per_lane_u8();
    else wasm.finish_per_lane_u16(cells);
  },
};

import type { ChannelsPlan } from "@polybin/core";
import { algorithms, limits } from "@polybin/core/backend";
import type { Wasm } from "../../platform/index.ts";
import type { Codes, Kernel } from "../lib/kernel.ts";

/** The exports of kernel.as.ts. */
interface Exports {
  count_per_segment_u8(address: number, count: number, row: number, cells: number): void;
  add_per_segment_u8(address: number, count: number, row: number): void;
  count_per_segment_u16(address: number, count: number, cells: number): void;
  fold_per_segment_u16(cells: number): void;
  add_per_segment_u16(address: number, count: number, row: number): void;
  values_per_segment(): number;
  bin_per_segment(row: number, bins: number): void;
  sum_per_segment(row: number, bins: number): number;
  clear_per_segment(row: number, bytes: number): void;
}

/**
 * Bytes of rows that are counted before they are copied out. Together with a chunk and its source they fit a share of a
 * second-level cache.
 */
const ROWS_BYTES = 65_536;

/** Runs kernel.as.ts: one row per segment, or one row, COUNTS, for all samples. */
export const kernel: Kernel<Exports> = {
  algorithm: algorithms["per-segment"],

  count: (wasm, codes, plan) => addTo(wasm, codes, plan, wasm.counts),
  finish: (wasm, codeBytes, { cells }) => {
    if (codeBytes === 2) wasm.fold_per_segment_u16(cells);
  },
  rows: {
    most({ bins, replicas, cells }) {
      // Tables of 16-bit codes are added to COUNTS itself.
      if (cells > limits.BYTE_VALUES && replicas > 1) return 1;
      return Math.max(1, Math.floor(ROWS_BYTES / (bins * Uint32Array.BYTES_PER_ELEMENT)));
    },
    add(wasm, codes, plan, row, isSorted) {
      addTo(wasm, codes, plan, isSorted ? wasm.values_per_segment() : row);
      if (codes.bytes === 2 && plan.replicas > 1) wasm.fold_per_segment_u16(plan.cells);
    },
    end(wasm, { bins }, row, isSorted) {
      if (isSorted) wasm.bin_per_segment(row, bins);
      return wasm.sum_per_segment(row, bins) >>> 0;
    },
    clear: (wasm, row, bytes) => wasm.clear_per_segment(row, bytes),
  },
};

function addTo(
  wasm: Wasm & Exports,
  { address, count, bytes }: Codes,
  { cells, replicas }: ChannelsPlan,
  row: number,
): void {
  if (bytes === 2) {
    if (replicas === 1) wasm.add_per_segment_u16(address, count, row);
    else wasm.count_per_segment_u16(address, count, cells);
  } else if (replicas === 1) wasm.add_per_segment_u8(address, count, row);
  else wasm.count_per_segment_u8(address, count, row, cells);
}

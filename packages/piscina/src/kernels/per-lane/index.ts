import { algorithms, type WorkerTables } from "@polybin/core/backend";
import type { FusedKernel, Kernel } from "../lib/kernel.ts";
import { type Setup, setupOf } from "../lib/rows/setup.ts";

/** The exports of kernel.as.ts. */
interface Own {
  count_per_lane_bytes_u8(address: number, count: number): void;
  count_per_lane_pairs_u8(address: number, count: number): void;
  finish_per_lane_u8(): void;
  lanes_rows(rows: number): void;
  lanes_direct(low: number, high: number, row: number): void;
  lanes_line(
    low: number,
    high: number,
    nan: number,
    origin: number,
    scale: number,
    bias: number,
    last: number,
  ): void;
  lanes_keys(base: number, last: number, shift: number): void;
  lanes_search(half: number, thresholds: number): void;
  lanes_gather_16: Gather;
  lanes_gather_32: Gather;
  lanes_gather_64: Gather;
  lanes_clear(): void;
  lanes_finish(): void;
}

type Gather = (address: number, samples: number, stride: number) => number;

/** Runs the kernels of wider samples. The set-up has the kernel's name. */
const fused: FusedKernel<Own, Setup> = {
  setup: setupOf,
  load(wasm, { direct, line, keys, search, lowering, starts }) {
    if (direct !== null) wasm.lanes_direct(direct.low, direct.high, direct.row);
    if (line !== null) {
      wasm.lanes_line(line.low, line.high, line.nan, line.origin, line.scale, line.bias, line.last);
    }
    if (keys !== null) wasm.lanes_keys(keys.base, keys.last, keys.shift);
    if (search !== null) wasm.lanes_search(search.half, search.thresholds);
    if (lowering !== null) copy(lowering, wasm.memory, wasm.lowering);
    if (starts !== null) copy(starts, wasm.memory, wasm.starts);
  },
  begin: (wasm, { rows }) => wasm.lanes_rows(rows),
  count(wasm, { kernel }, address, samples) {
    const counts = wasm as unknown as Record<string, (address: number, samples: number) => void>;
    counts[`count_${kernel}`]!(address, samples);
  },
  gather(wasm, address, samples, { bytes, interleaved }) {
    const gather =
      bytes === 2 ? wasm.lanes_gather_16 : bytes === 4 ? wasm.lanes_gather_32 : wasm.lanes_gather_64;
    return gather(address, samples, interleaved);
  },
  clear: (wasm) => wasm.lanes_clear(),
  finish: (wasm) => wasm.lanes_finish(),
};

function copy(
  { buffer, byteOffset, byteLength }: ArrayBufferView,
  memory: WebAssembly.Memory,
  at: number,
): void {
  Buffer.from(buffer, byteOffset, byteLength).copy(new Uint8Array(memory.buffer, at, byteLength));
}

/** Runs kernel.as.ts: several tables, which are used in turn. */
export const kernel: Kernel<Own> = {
  algorithm: algorithms["per-lane"],
  fused,

  count(wasm, { address, count }, { own }) {
    if ((own as WorkerTables).grouping === 2) wasm.count_per_lane_pairs_u8(address, count);
    else wasm.count_per_lane_bytes_u8(address, count);
  },
  finish: (wasm) => wasm.finish_per_lane_u8(),
};

import { type DeviceLimits, limits } from "@polybin/core/backend";
import type { WebgpuLimits } from "../../base/index.ts";

/** The blocks (workgroups) of a dispatch. */
export type Grid = readonly [x: number, y?: number, z?: number];

/** Returns a grid of at least `blocks` blocks. It has two dimensions if one is too small. */
export function gridOf(blocks: number, { gridBlocks }: WebgpuLimits): readonly [x: number, y: number] {
  const y = limits.divideCeiling(blocks, gridBlocks);
  return [limits.divideCeiling(blocks, y), y];
}

/** Returns the blocks for kernels without tables: each thread gets a few samples. */
export function gridFor(samples: number, threads: number, { units, unit }: DeviceLimits): number {
  const fill = units * Math.min(unit!.blocks, Math.floor(unit!.threads / threads));
  return Math.max(1, Math.min(fill, limits.divideCeiling(samples, threads * limits.WORD_BYTES)));
}

/** Returns the threads of a block of such kernels. */
export function plainThreads({ blockThreads }: DeviceLimits): number {
  return Math.min(limits.BLOCK_THREADS, blockThreads);
}

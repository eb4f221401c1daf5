import { type DeviceLimits, limits } from "@polybin/core/backend";
import type { WebgpuLimits } from "../../base/index.ts";

/** Blocks (workgroups) of a dispatch. */
export type Grid = readonly [x: number, y?: number, z?: number];

/** So many blocks or a few more, in two dimensions where one does not hold them. */
export function gridOf(blocks: number, { gridBlocks }: WebgpuLimits): readonly [x: number, y: number] {
  const y = limits.divideCeiling(blocks, gridBlocks);
  return [limits.divideCeiling(blocks, y), y];
}

/** Blocks for kernels without tables: a few samples for every thread. */
export function gridFor(samples: number, threads: number, { units, unit }: DeviceLimits): number {
  const fill = units * Math.min(unit!.blocks, Math.floor(unit!.threads / threads));
  return Math.max(1, Math.min(fill, limits.divideCeiling(samples, threads * limits.WORD_BYTES)));
}

/** Threads of a block of such kernels. */
export function plainThreads({ blockThreads }: DeviceLimits): number {
  return Math.min(limits.BLOCK_THREADS, blockThreads);
}

import { limits, type WeightedPlan } from "@polybin/core/backend";
import { own } from "../../platform/index.ts";
import type { Room } from "./kernel.ts";

/** Sums of a cell: of weights, and of squares. */
export function kindsOf({ squares }: WeightedPlan): number {
  return squares ? 2 : 1;
}

/** Words of a cell; where a count shares a word with a sum, two. */
export function planesOf(plan: WeightedPlan): number {
  const { counts, sumBits } = plan;
  if (sumBits === 50) return 2;
  return Number(counts) + (sumBits === 64 ? 2 : 1) * kindsOf(plan);
}

/**
 * Rows or words that a kernel declares: up to an eighth more than it has, so that features of nearly as many bins need
 * no other pipeline, but no more than there is memory for.
 */
export function roomier(rows: number, rowBytes: number, { sharedBytes, generic }: Room): number {
  const most = Math.floor(sharedBytes / rowBytes);
  if (generic) return most;
  const step = 2 ** Math.max(0, Math.floor(Math.log2(rows / own.TABLE_STEPS)));
  return Math.min(limits.divideCeiling(rows, step) * step, most);
}

/** Threads that share a row when its replicas are added up: a power of two, as many as there are threads for, or one. */
export function sharersOf(
  rows: number,
  { threads, replicas }: WeightedPlan,
  { generic }: Pick<Room, "generic">,
): number {
  let sharers = 1;
  while (!generic && replicas % (2 * sharers) === 0 && 2 * sharers * rows <= threads) sharers *= 2;
  return sharers;
}

import { limits, type SumsPlan } from "@polybin/core/backend";
import { own } from "../../platform/index.ts";
import type { Room } from "./kernel.ts";

/** Returns the number of sums per cell: one of weights, and one of squares if requested. */
export function kindsOf({ squares }: SumsPlan): number {
  return squares ? 2 : 1;
}

/** Returns the words of a cell. It is two if a count shares a word with a sum. */
export function planesOf(plan: SumsPlan): number {
  const { counts, sumBits } = plan;
  if (sumBits === 50) return 2;
  return Number(counts) + (sumBits === 64 ? 2 : 1) * kindsOf(plan);
}

/**
 * Returns the rows or words that a kernel declares: up to an eighth more than it has, within the memory. Features with
 * nearly the same number of bins then share a pipeline.
 */
export function roomier(rows: number, rowBytes: number, { sharedBytes, generic }: Room): number {
  const most = Math.floor(sharedBytes / rowBytes);
  if (generic) return most;
  const step = 2 ** Math.max(0, Math.floor(Math.log2(rows / own.TABLE_STEPS)));
  return Math.min(limits.divideCeiling(rows, step) * step, most);
}

/**
 * Returns the threads that share a row when its replicas are added up. It is the largest power of two that there are
 * threads for, at least one.
 */
export function sharersOf(
  rows: number,
  { threads, replicas }: SumsPlan,
  { generic }: Pick<Room, "generic">,
): number {
  let sharers = 1;
  while (!generic && replicas % (2 * sharers) === 0 && 2 * sharers * rows <= threads) sharers *= 2;
  return sharers;
}

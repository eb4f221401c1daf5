import { FAST_ADDENDS, WEIGHT_ADDENDS, WORD_BYTES } from "../limits.ts";
import type { WeightedLaunch, WeightedRequest } from "./plan.ts";

/** Bytes of one cell: its counter, its sum and, where they are asked for, its sum of squares. */
export function cellBytes(
  counterBits: WeightedLaunch["counterBits"],
  sumBits: WeightedLaunch["sumBits"],
  { squares }: Pick<WeightedRequest, "squares">,
): number {
  const bytes = 8;
  return (counterBits + sumBits * (squares ? 2 : 1)) / bytes;
}

/**
 * Documents that a block of `replicas` tables adds between two flushes, a whole number for each of its threads: as many
 * a table as its 32-bit sums take.
 */
export function documentsPerFlush(
  { precision }: Pick<WeightedRequest, "precision">,
  threads: number,
  replicas: number,
): number {
  const addends = precision === "fast" ? FAST_ADDENDS : WEIGHT_ADDENDS;
  return Math.max(1, Math.floor((addends * replicas) / threads)) * threads;
}

/** Whole units of `of` that fit into `bytes`, `most` at the most. */
export function thatFit(of: number, bytes: number, most: number): number {
  return Math.min(most, Math.floor(bytes / of));
}

/** How sums are kept where threads share one table: 64 bits never overflow, float sums are flushed. */
export function sharedTableSums(
  request: WeightedRequest,
  threads: number,
): Pick<WeightedLaunch, "sumBits" | "flushDocuments"> {
  return request.precision === "fast"
    ? { sumBits: 32, flushDocuments: documentsPerFlush(request, threads, 1) }
    : { sumBits: 64, flushDocuments: null };
}

/** A table a worker, whose 64-bit sums (on workers floats have 64 bits, too) need no flush. */
export function workersLaunch({ bins }: WeightedRequest, replicas: number): WeightedLaunch {
  return {
    threads: 1,
    replicas,
    featuresPerBlock: 1,
    counterBits: 32,
    sumBits: 64,
    binsPerPass: bins,
    sharedBytes: bins * replicas * (WORD_BYTES + 2 * WORD_BYTES),
    flushDocuments: null,
  };
}

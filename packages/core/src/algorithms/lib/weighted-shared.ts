import { counterMax, type DeviceLimits } from "../../base/index.ts";
import type { WeightedLaunch, WeightedRequest } from "../../plan/index.ts";
import { WEIGHT_ADDENDS } from "../../weights/index.ts";
import {
  COUNT_BITS,
  FAST_ADDENDS,
  WORKER_CELL_BYTES,
  WORKER_FEATURES,
  WORKER_TOTALS_BYTES,
  WORKER_WEIGHTED_DOCUMENTS,
} from "./limits.ts";
import { tooLittleShared } from "./shared.ts";

/** What a plan rule is told, and what it says, but for the parameters. */
type Request = Omit<WeightedRequest, "parameters">;
type Tables = Omit<WeightedLaunch, "parameters">;

/** Bytes of one cell: its sum and, where they are asked for, its counter and its sum of squares. */
export function cellBytes(
  counterBits: WeightedLaunch["counterBits"],
  sumBits: WeightedLaunch["sumBits"],
  { counts, squares }: Pick<WeightedRequest, "counts" | "squares">,
): number {
  const bytes = 8;
  return ((counts ? counterBits : 0) + sumBits * (squares ? 2 : 1)) / bytes;
}

/**
 * Documents that a block of `replicas` tables adds between two flushes, a whole number for each of its threads: as many
 * a table as its sums, of 32 bits or 50, take.
 */
export function documentsPerFlush(
  { precision }: Pick<WeightedRequest, "precision">,
  threads: number,
  replicas: number,
  sumBits: 32 | 50 = 32,
): number {
  const addends =
    precision === "fast" ? FAST_ADDENDS : sumBits === 50 ? counterMax(COUNT_BITS) : WEIGHT_ADDENDS;
  return Math.max(1, Math.floor((addends * replicas) / threads)) * threads;
}

/** Whole units of `of` that fit into `bytes`, `most` at the most. */
export function thatFit(of: number, bytes: number, most: number): number {
  return Math.min(most, Math.floor(bytes / of));
}

/** How sums are kept where threads share one table: 64 bits never overflow, float sums are flushed. */
export function sharedTableSums(
  request: Request,
  threads: number,
): Pick<WeightedLaunch, "sumBits" | "flushDocuments"> {
  return request.precision === "fast"
    ? { sumBits: 32, flushDocuments: documentsPerFlush(request, threads, 1) }
    : { sumBits: 64, flushDocuments: null };
}

/**
 * Tables of a worker's own, and features enough for a block that weights are read once for many. Of integers a cell is
 * one word, the count above the sum, and another one where there are squares; of floats it is two doubles, and squares
 * are added up after them in the same tables. Neighbouring documents take turns at the tables, so that equal values need
 * not wait for one another's store.
 */
export function ownTables(
  slug: string,
  request: Request,
  most: number,
  limits: DeviceLimits,
): Tables | string {
  const { bins, features, precision, squares } = request;
  const bytes = WORKER_CELL_BYTES * (squares || precision === "fast" ? 2 : 1);
  let replicas = most;
  while (replicas > 1 && bins * replicas * bytes > limits.sharedBytes) replicas = Math.floor(replicas / 2);
  if (bins * replicas * bytes > limits.sharedBytes) return tooLittleShared(slug, bins * bytes, limits);
  const totals = 3 * Float64Array.BYTES_PER_ELEMENT * bins;
  return {
    ...oneTable(request),
    replicas,
    featuresPerBlock: Math.max(1, thatFit(totals, WORKER_TOTALS_BYTES, Math.min(features, WORKER_FEATURES))),
    sharedBytes: bins * replicas * bytes,
    flushDocuments: WORKER_WEIGHTED_DOCUMENTS,
  };
}

/** One table in shared memory for all workers, which add to it with `Atomics`; beside it `sharedBytes` of their own. */
export function oneTable({ bins }: Request, sharedBytes = 0): Tables {
  return {
    threads: 1,
    replicas: 1,
    featuresPerBlock: 1,
    counterBits: 32,
    sumBits: 64,
    binsPerPass: bins,
    sharedBytes,
    flushDocuments: null,
  };
}

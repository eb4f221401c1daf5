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

/** The input and the result of a plan rule, without the parameters. */
type Request = Omit<WeightedRequest, "parameters">;
type Tables = Omit<WeightedLaunch, "parameters" | "subHistogramBytes">;

/** Returns the bytes of a cell: its sum and, if requested, its counter and its sum of squares. */
export function cellBytes(
  counterBits: WeightedLaunch["counterBits"],
  sumBits: WeightedLaunch["sumBits"],
  { counts, squares }: Pick<WeightedRequest, "counts" | "squares">,
): number {
  const bytes = 8;
  return ((counts ? counterBits : 0) + sumBits * (squares ? 2 : 1)) / bytes;
}

/**
 * Returns the documents that a block of `replicas` tables adds between two flushes, a whole number per thread. Each
 * table adds at most as many as its 32- or 50-bit sums allow.
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

/** Returns the number of units of `of` bytes that fit into `bytes`, at most `most`. */
export function thatFit(of: number, bytes: number, most: number): number {
  return Math.min(most, Math.floor(bytes / of));
}

/** Returns the width of sums in a table that threads share. 64-bit sums never overflow; float sums are flushed. */
export function sharedTableSums(
  request: Request,
  threads: number,
): Pick<WeightedLaunch, "sumBits" | "flushDocuments"> {
  return request.precision === "fast"
    ? { sumBits: 32, flushDocuments: documentsPerFlush(request, threads, 1) }
    : { sumBits: 64, flushDocuments: null };
}

/**
 * Plans tables of a worker's own, with enough features per block that each weight is read once for several features.
 * An integer cell is one word with the count above the sum, plus another word for squares. A float cell is two
 * doubles; squares are added up afterwards in the same tables. Neighbouring documents alternate between the tables, so
 * that equal values do not wait for each other's store.
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

/** Plans one shared table that all workers update with `Atomics`, plus `sharedBytes` of a worker's own. */
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

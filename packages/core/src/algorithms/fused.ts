import {
  type DeviceLimits,
  divideCeiling,
  HALF_VALUES,
  VECTOR_BYTES,
  WARP_THREADS,
  WORD_BYTES,
} from "../base/index.ts";
import { type CellColumn, RANK_PADDING } from "../lowering/index.ts";
import type { Algorithm, JointLaunchRule, PlanRequest } from "../plan/index.ts";
import { blocksThatFill, tablesThatFit } from "./lib/shared.ts";

/** Threads per block on a GPU. */
export const FUSED_THREADS = 1024;
/** Samples that a warp adds to a table at a time, at most: 16 per lane. */
export const FUSED_UNIT = 512;
/**
 * Number of samples that a 16-bit counter holds before it is reduced: half of its range. The thread that adds to a
 * counter of this number subtracts it and adds it to the counts. Nothing else is subtracted.
 */
export const FUSED_SPILL = 32_768;
/**
 * A thread that adds to a 16-bit counter of this many samples or more waits until another one has reduced it. Before all
 * warps of a block wait, each adds a unit at most, and one of them two. So a counter is less than FUSED_HIGH +
 * FUSED_UNIT * (1 + FUSED_THREADS / WARP_THREADS), which is less than 2^16.
 */
export const FUSED_HIGH: number = FUSED_SPILL + FUSED_SPILL / 4;
/** Nanoseconds that such a thread waits before it looks again. */
export const FUSED_WAIT_NS = 32;
/** Bytes of a block's shared memory that the kernel needs before its packed counters. */
export const FUSED_PACKED_BYTES = 208;
/**
 * Bytes of a GPU block's copies of a table. More copies meet less often, but leave less of the cache through which
 * samples are read.
 */
export const FUSED_TABLE_BYTES = 153_600;
/** Copies of the thresholds of a column by rank in a block's shared memory. */
export const FUSED_LOOKUPS = 8;
/**
 * Cells that a warp counts in registers if its lanes often meet in them. It does so if this number of neighbouring lanes
 * meet, and this number of lanes meet in one cell.
 */
export const FUSED_HOT = 4;
export const FUSED_HOT_LANES = 6;
/**
 * Maximum number of passes over the samples, on devices that have no packed counters. Each reads the samples from the
 * second-level cache. With more, atomics on global memory are faster.
 */
export const FUSED_PASSES = 32;
/** Largest part of a table in windows that may be gaps, which keep cells of a row apart in the banks. */
export const FUSED_GAPS: number = 1 / 8;
/** Bytes of shared memory that a kernel keeps for the number of masked samples. */
export const FUSED_RESERVED_BYTES = 16;
/** Tables per worker, so that samples of the same cell do not wait for one another. */
export const FUSED_WORKER_TABLES = 2;
/** Maximum number of cells for which a worker has several tables: 64 KiB, part of a second-level cache. */
export const FUSED_WORKER_CELLS = 8192;
/**
 * Maximum number of cells of the tables of all workers together: 64 MiB. If each worker would need more, they share one
 * table.
 */
export const FUSED_WORKER_OWN = 16_777_216;

/**
 * Finds the cell of 1 to 6 columns and counts it in one pass. The number of cells decides where the counters lie:
 *
 *   replicas   copies of 32-bit counters in shared memory, h[slot * R + lane]
 *   packed     one copy of 16-bit counters in shared memory, reduced by FUSED_SPILL before they overflow, without a barrier
 *   global     counters in global memory, which the second-level cache holds; on workers, one table for all
 *
 * A slot is a cell's place in a table with gaps, so that samples that differ in one column do not share a bank.
 *
 * Bound: the read of all columns while 32-bit counters fit, then atomics on shared memory, then those of the
 * second-level cache.
 */
export const algorithm: Algorithm = {
  slug: "fused",
  title: "the cell of several columns, found and counted in one pass",
  source: "polybin",
  parameters: {},
  maxBins: null,
  isBest,
  launch: launchOf,
  joint: { preferred: { workers: 1, gpu: 1 }, launch: launchOf },
};

/**
 * One axis with a bin for each value of 16 bits: a kernel counts the samples as they are, and all 16-bit counters fit into
 * a block where the device has them.
 */
function isBest(
  { column, channels, segments }: Omit<PlanRequest, "algorithm">,
  { kind, warpBarriers, sharedBytes }: DeviceLimits,
): boolean {
  if (kind !== "gpu" || warpBarriers === false || channels > 1 || segments) return false;
  const { kind: lowering, flow, bins } = column.lowering;
  return lowering === "direct" && !flow && bins === HALF_VALUES && packedBytes(bins) <= sharedBytes;
}

/** Returns the bytes of 16-bit counters, of one for masked samples, and of what is before them. */
function packedBytes(slots: number): number {
  return FUSED_PACKED_BYTES + divideCeiling(slots + 1, 2) * WORD_BYTES;
}

/** Layout of a block's shared memory on a GPU. */
export type FusedTable = {
  /** Counters of a copy, with the gaps between them. The masked samples have one more. */
  readonly slots: number;
  /** Copies of the thresholds of each column by rank, which follow the counters; 0: they do not fit. */
  readonly lookupReplicas: number;
};

function launchOf(
  {
    cells,
    samples,
    columns = [],
  }: { readonly cells: number; readonly samples: number; readonly columns?: readonly CellColumn[] },
  limits: DeviceLimits,
): JointLaunchRule {
  if (limits.kind === "workers") return workersLaunch(cells, limits);
  if (limits.warpBarriers === false) return windowedLaunch(cells, samples, limits, columns);
  const slots = slotsOf(cells, columns);
  const bytes = (slots + 1) * WORD_BYTES;
  const table =
    bytes <= limits.sharedBytes ? "replicas" : packedBytes(slots) <= limits.sharedBytes ? "packed" : "global";
  const budget = { ...limits, sharedBytes: Math.min(limits.sharedBytes, FUSED_TABLE_BYTES) };
  let replicas = table === "replicas" ? limits.banks : 1;
  while (replicas > 1 && tablesThatFit(bytes, replicas, budget) < replicas)
    replicas = Math.floor(replicas / 2);
  const counterBytes = aligned({ replicas: bytes * replicas, packed: packedBytes(slots), global: 0 }[table]);
  const lookupReplicas = table === "global" ? 0 : lookupsThatFit(columns, limits.sharedBytes - counterBytes);
  const threads = Math.min(FUSED_THREADS, limits.blockThreads);
  return {
    table,
    threads,
    // One block per multiprocessor has the most registers, and so the most loads in flight.
    blocks: Math.max(1, Math.min(limits.units, divideCeiling(samples, threads * WORD_BYTES))),
    replicas,
    counterBits: table === "packed" ? 16 : 32,
    cellsPerPass: cells,
    sharedBytes: counterBytes + lookupBytes(columns, lookupReplicas),
    wordsPerThread: null,
    own: { slots, lookupReplicas } satisfies FusedTable,
  };
}

/** Returns the first number from `least` on that is 6 modulo 8. */
function padded(least: number): number {
  return least + ((6 - (least % 8) + 8) % 8);
}

/**
 * Returns the counters of a table with gaps. Those of one column are in whole groups of twice the banks. With several
 * columns, each except the last one has a gap after each of its places.
 */
function slotsOf(cells: number, columns: readonly CellColumn[]): number {
  let last = 0;
  let pad = 1;
  for (const { extent } of columns.toReversed()) {
    last += (extent - 1) * pad;
    pad = padded(pad * extent);
  }
  const group = 2 * WARP_THREADS;
  return Math.max(last + 1, divideCeiling(cells, group) * group);
}

function lookupsThatFit(columns: readonly CellColumn[], bytes: number): number {
  let replicas = FUSED_LOOKUPS;
  while (replicas > 0 && lookupBytes(columns, replicas) > bytes) replicas = Math.floor(replicas / 2);
  return replicas;
}

function lookupBytes(columns: readonly CellColumn[], replicas: number): number {
  return columns
    .filter(({ by }) => by === "rank")
    .reduce((sum, { extent }) => sum + aligned((extent + RANK_PADDING) * WORD_BYTES * replicas), 0);
}

/** Rounds up to 16 bytes, the size of a GPU's load. */
function aligned(bytes: number): number {
  return divideCeiling(bytes, VECTOR_BYTES) * VECTOR_BYTES;
}

/**
 * For devices without votes among the lanes of a warp, on which packed counters would depend on the data. A block counts
 * a window of cells with 32-bit counters. Tables are whole lines of banks, so that cells can be permuted in them. One line
 * more takes the samples that a block does not count.
 */
function windowedLaunch(
  cells: number,
  samples: number,
  limits: DeviceLimits,
  columns: readonly CellColumn[],
): JointLaunchRule {
  const { banks, sharedBytes, blockThreads } = limits;
  const lines = (count: number) => divideCeiling(count, banks) * banks;
  const room = Math.floor((sharedBytes - FUSED_RESERVED_BYTES) / WORD_BYTES) - banks;
  const threads = Math.min(FUSED_THREADS, blockThreads);
  const isWindowed = lines(cells) > room;
  const slots = isWindowed ? gapped(cells, columns) : cells;
  const passes = divideCeiling(slots, room - (room % banks));
  const isGlobal = passes > FUSED_PASSES;
  const cellsPerPass = isGlobal || passes === 1 ? cells : lines(divideCeiling(slots, passes));
  let replicas = isGlobal ? 1 : banks;
  while (replicas > 1 && lines(cells) * replicas > room) replicas /= 2;
  const bytes = isGlobal ? 0 : (lines(cellsPerPass) * replicas + banks) * WORD_BYTES;
  const blocks = blocksThatFill(threads, bytes, samples, limits);
  return {
    table: isGlobal ? "global" : "replicas",
    threads,
    blocks: isGlobal ? blocks : divideCeiling(blocks, passes),
    replicas,
    counterBits: 32,
    cellsPerPass,
    ...(isWindowed && !isGlobal && { passes, own: { slots } }),
    sharedBytes: bytes,
    wordsPerThread: null,
  };
}

/** Returns the counters of two columns with a gap after each row of the table, or all cells if gaps would cost much. */
function gapped(cells: number, columns: readonly CellColumn[]): number {
  const [first, second] = columns;
  if (columns.length !== 2) return cells;
  const slots = first!.extent * padded(second!.extent);
  return slots <= cells * (1 + FUSED_GAPS) ? slots : cells;
}

/** Workers have tables of their own, unless these would take much more memory than one that they share. */
function workersLaunch(cells: number, { units }: DeviceLimits): JointLaunchRule {
  const isShared = units > 1 && cells * units > FUSED_WORKER_OWN;
  const replicas = cells <= FUSED_WORKER_CELLS ? FUSED_WORKER_TABLES : 1;
  return {
    table: isShared ? "global" : "replicas",
    threads: 1,
    blocks: units,
    replicas,
    counterBits: 32,
    cellsPerPass: cells,
    sharedBytes: isShared ? 0 : cells * replicas * WORD_BYTES,
    wordsPerThread: null,
  };
}

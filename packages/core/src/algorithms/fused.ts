import { type DeviceLimits, divideCeiling, WORD_BYTES } from "../base/index.ts";
import type { Algorithm, JointLaunchRule } from "../plan/index.ts";
import { blocksThatFill, sharedForTwoBlocks, tablesThatFit } from "./lib/shared.ts";

/** Threads per block on a GPU. */
export const FUSED_THREADS = 1024;
/**
 * Value at which a 16-bit counter is moved to the counts. The thread that reaches it subtracts it. Until then, every
 * other thread that finds more takes its own sample back and adds it to the counts itself. A counter is therefore at
 * most FUSED_SPILL - 1 + FUSED_THREADS, which 16 bits hold.
 */
export const FUSED_SPILL = 32_768;
/**
 * Maximum number of passes over the samples, on devices that have no packed counters. Each reads the samples from the
 * second-level cache. With more, atomics on global memory are faster.
 */
export const FUSED_PASSES = 32;
/** Bytes of shared memory that a kernel keeps for the number of masked samples. */
export const FUSED_RESERVED_BYTES = 16;
/** Tables per worker, so that samples of the same cell do not wait for one another. */
export const FUSED_WORKER_TABLES = 2;
/** Maximum number of cells for which a worker has several tables: 64 KiB, part of a second-level cache. */
export const FUSED_WORKER_CELLS = 8192;
/** Maximum number of cells for which each of several workers has a table: 4 MiB. More cells are in one shared table. */
export const FUSED_WORKER_OWN = 1_048_576;

/**
 * Finds the cell of 1 to 6 columns and counts it in one pass. The number of cells decides where the counters lie:
 *
 *   replicas   copies of 32-bit counters in shared memory, h[cell * R + lane]
 *   packed     one copy of 16-bit counters in shared memory, each moved to the counts when it reaches FUSED_SPILL
 *   global     32-bit counters in global memory, which the second-level cache holds; on workers, one table for all
 *
 * Bound: the read of all columns while copies fit, then atomics on shared memory, then those of the second-level cache.
 */
export const algorithm: Algorithm = {
  slug: "fused",
  title: "the cell of several columns, found and counted in one pass",
  source: "polybin",
  parameters: {},
  maxBins: null,
  launch: launchOf,
  joint: { preferred: { workers: 1, gpu: 1 }, launch: launchOf },
};

function launchOf(
  { cells, samples }: { readonly cells: number; readonly samples: number },
  limits: DeviceLimits,
): JointLaunchRule {
  if (limits.kind === "workers") return workersLaunch(cells, limits);
  if (limits.warpBarriers === false) return windowedLaunch(cells, samples, limits);
  const bytes = cells * WORD_BYTES;
  const budget = { ...limits, sharedBytes: sharedForTwoBlocks(limits) };
  let replicas = limits.banks;
  while (replicas > 1 && tablesThatFit(bytes, replicas, budget) < replicas)
    replicas = Math.floor(replicas / 2);
  const packedBytes = Math.ceil(cells / 2) * WORD_BYTES;
  const table =
    bytes <= limits.sharedBytes ? "replicas" : packedBytes <= limits.sharedBytes ? "packed" : "global";
  const sharedBytes = { replicas: bytes * replicas, packed: packedBytes, global: 0 }[table];
  const threads = Math.min(FUSED_THREADS, limits.blockThreads);
  return {
    table,
    threads,
    blocks: blocksThatFill(threads, sharedBytes, samples, limits),
    replicas,
    counterBits: table === "packed" ? 16 : 32,
    cellsPerPass: cells,
    sharedBytes,
    wordsPerThread: null,
  };
}

/**
 * For devices without votes among the lanes of a warp, on which packed counters would depend on the data. A block counts
 * a window of cells with 32-bit counters. Tables are whole lines of banks, so that cells can be permuted in them.
 */
function windowedLaunch(cells: number, samples: number, limits: DeviceLimits): JointLaunchRule {
  const { banks, sharedBytes, blockThreads } = limits;
  const lines = (count: number) => divideCeiling(count, banks) * banks;
  const room = Math.floor((sharedBytes - FUSED_RESERVED_BYTES) / WORD_BYTES);
  const passes = divideCeiling(cells, room - (room % banks));
  const threads = Math.min(FUSED_THREADS, blockThreads);
  const isGlobal = passes > FUSED_PASSES;
  const cellsPerPass = isGlobal || passes === 1 ? cells : lines(divideCeiling(cells, passes));
  let replicas = isGlobal ? 1 : banks;
  while (replicas > 1 && lines(cells) * replicas > room) replicas /= 2;
  const bytes = isGlobal ? 0 : lines(cellsPerPass) * replicas * WORD_BYTES;
  const blocks = blocksThatFill(threads, bytes, samples, limits);
  return {
    table: isGlobal ? "global" : "replicas",
    threads,
    blocks: isGlobal ? blocks : divideCeiling(blocks, passes),
    replicas,
    counterBits: 32,
    cellsPerPass,
    sharedBytes: bytes,
    wordsPerThread: null,
  };
}

/** Workers have tables of their own, unless these would take much more memory than one that they share. */
function workersLaunch(cells: number, { units }: DeviceLimits): JointLaunchRule {
  const isShared = units > 1 && cells > FUSED_WORKER_OWN;
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

import { type DeviceLimits, WORD_BYTES } from "../base/index.ts";
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
/** Tables per worker, so that samples of the same cell do not wait for one another. */
export const FUSED_WORKER_TABLES = 2;
/** Maximum number of cells for which a worker has several tables: 64 KiB, part of a second-level cache. */
export const FUSED_WORKER_CELLS = 8192;

/**
 * Finds the cell of 1 to 6 columns and counts it in one pass. The number of cells decides where the counters lie:
 *
 *   replicas   copies of 32-bit counters in shared memory, h[cell * R + lane]
 *   packed     one copy of 16-bit counters in shared memory, each moved to the counts when it reaches FUSED_SPILL
 *   global     32-bit counters in global memory, which the second-level cache holds
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

/** Each worker has tables of its own. */
function workersLaunch(cells: number, { units }: DeviceLimits): JointLaunchRule {
  const replicas = cells <= FUSED_WORKER_CELLS ? FUSED_WORKER_TABLES : 1;
  return {
    table: "replicas",
    threads: 1,
    blocks: units,
    replicas,
    counterBits: 32,
    cellsPerPass: cells,
    sharedBytes: cells * replicas * WORD_BYTES,
    wordsPerThread: null,
  };
}

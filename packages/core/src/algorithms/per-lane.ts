import {
  BYTE_VALUES,
  type DeviceLimits,
  divideCeiling,
  FLOW_ROWS,
  U16_MAX,
  VECTOR_BYTES,
  WORD_BYTES,
} from "../base/index.ts";
import type { LookupSize } from "../lowering/index.ts";
import { RANK_PADDING } from "../lowering/index.ts";
import type { Algorithm, LaunchRequest, LaunchRule } from "../plan/index.ts";
import { PER_LANE_THREADS, WORKER_LANES, WORKER_WIDE_LANES } from "./lib/limits.ts";
import {
  blocksThatFill,
  cellsThatFit,
  sharedForTwoBlocks,
  tablesThatFit,
  tooLittleShared,
} from "./lib/shared.ts";

/** Number of 16-byte loads that a thread of per-lane has in flight, and the vectors per thread from which this pays. */
export const PER_LANE_IN_FLIGHT = 4;

export const PER_LANE_DEEP_FROM = 8;

/**
 * A GPU counts up to this number of vectors with small blocks and few replicas, because a short kernel finishes
 * before a wide one has started.
 */
export const PER_LANE_FEW_VECTORS = 32_768;

export const PER_LANE_FEW_THREADS = 256;

export const PER_LANE_FEW_REPLICAS = 8;

/**
 * Up to this number of blocks, every thread has one vector. Beyond it, threads get two vectors before blocks are
 * added.
 */
export const PER_LANE_FEW_BLOCKS = 64;

/**
 * Up to this number of vectors per multiprocessor, each has one block. More blocks would take longer to merge their
 * tables.
 */
export const PER_LANE_ONE_BLOCK_VECTORS = 16_384;

/**
 * Minimum number of replicas with which one block still counts all channels of a pixel. Otherwise a block counts one
 * channel and reads all of them.
 */
export const PER_LANE_LEAST_TOGETHER = 8;

/** Tables of per-lane over pairs of bytes, 256 KiB each, and the samples per worker from which they pay. */
export const WORKER_PAIR_LANES = 2;

export const WORKER_PAIRS_FROM = 1_048_576;

const CELL_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/**
 * Keeps one interleaved replica of the histogram per bank of shared memory, so that the lanes of a warp never collide
 * in a bin or a bank, whatever the data.
 *
 *   words:  h[bin * R + lane mod R];   if R is the number of banks, the bank is the lane
 *
 * On workers, each cell has several counters, which alternate between neighbouring samples. Equal neighbours then do
 * not wait for each other's store. If a worker has many bytes, one increment counts two neighbours in a table of 256 x
 * 256 pairs. The sums of its rows and columns are the cells.
 */
export const algorithm: Algorithm = {
  slug: "per-lane",
  title: "one replica per bank, so that no lane waits for another, whatever the data",
  source: "polybin",
  parameters: {},
  preferred: { workers: 1, gpu: 1 },
  maxBins: null,
  launch(request, limits) {
    const { cells, samples, flow = false } = request;
    const { kind, banks, blockThreads, warp } = limits;
    if (kind === "workers") return workersLaunch(request, limits);
    // If one replica per bank does not fit, the rule halves the number of replicas. If one replica does not fit, it
    // uses passes. Two blocks per multiprocessor hide each other's barriers, so the rule gives up replicas before the
    // second block.
    const budget = { ...limits, sharedBytes: sharedForTwoBlocks(limits) };
    const vectors = vectorsOf(request);
    const isFew = limits.unit !== undefined && vectors <= PER_LANE_FEW_VECTORS;
    let replicas = isFew ? Math.min(banks, PER_LANE_FEW_REPLICAS) : banks;
    const rows = cells + (flow ? FLOW_ROWS : 0);
    const fits = (replicas: number) => tablesThatFit(rows * CELL_BYTES, replicas, budget) === replicas;
    while (replicas > 1 && !fits(replicas)) replicas = Math.floor(replicas / 2);
    replicas = forAllChannels(replicas, rows * (request.channels ?? 1), limits);
    const rowsPerBlock = cellsThatFit(rows, replicas * CELL_BYTES, limits);
    if (rowsPerBlock === 0) return tooLittleShared("per-lane", CELL_BYTES, limits);
    const most = isFew ? PER_LANE_FEW_THREADS : PER_LANE_THREADS;
    const threads = Math.max(warp, Math.min(most, blockThreads));
    const { tables, sharedBytes } = laneTables(request, { rows, rowsPerBlock }, replicas, threads, limits);
    const fill = blocksThatFill(threads, sharedBytes, samples, limits);
    const blocks = Math.min(fill, blocksForFew(vectors, threads, limits));
    return {
      threads,
      blocks,
      replicas,
      counterBits: 32,
      cellsPerPass: Math.min(cells, rowsPerBlock),
      sharedBytes,
      wordsPerThread: null,
      passes: divideCeiling(rows, rowsPerBlock),
      own: { ...tables, inFlight: vectors < PER_LANE_DEEP_FROM * threads * blocks ? 1 : PER_LANE_IN_FLIGHT },
    };
  },
};

/** Layout of a block's shared memory on a GPU. */
export type LaneTables = {
  /** Rows of a channel's table: its cells, plus three of flow if a sample can fall outside them. */
  readonly rows: number;
  /** Rows that a block counts. Other blocks count the rest. */
  readonly rowsPerBlock: number;
  /** Channels that a block counts: all, or one. */
  readonly channelsPerBlock: number;
  /** Bytes of the counters. The copies of the lookup follow them. */
  readonly counterBytes: number;
  /** Copies of the lookup; 0: it stays in global memory. */
  readonly lookupReplicas: number;
  /** 16-byte loads that a thread has in flight. Few samples use few, because a short kernel starts faster. */
  readonly inFlight: number;
};

/** Layout of the tables on workers. */
export type WorkerTables = {
  /** Neighbouring samples that one increment counts: 2 if tables have one cell per pair of cells. */
  readonly grouping: 1 | 2;
};

/** Plans the shared memory of a block and returns its size. */
function laneTables(
  { channels = 1, lookup = null }: LaunchRequest,
  { rows, rowsPerBlock }: Pick<LaneTables, "rows" | "rowsPerBlock">,
  replicas: number,
  threads: number,
  limits: DeviceLimits,
): { readonly tables: Omit<LaneTables, "inFlight">; readonly sharedBytes: number } {
  const tableBytes = rowsPerBlock * replicas * CELL_BYTES;
  const channelsPerBlock = tableBytes * channels <= limits.sharedBytes ? channels : 1;
  const counterBytes = aligned(tableBytes * channelsPerBlock);
  const free = sharedWithoutLoss(counterBytes, threads, limits) - counterBytes;
  // Blocks that share the rows have no room left for the lookup.
  let lookupReplicas =
    lookup === null || rowsPerBlock < rows ? 0 : Math.floor((limits.banks * WORD_BYTES) / lookup.keyBytes);
  while (lookup !== null && lookupReplicas > 0 && lookupBytes(lookup, lookupReplicas) > free) {
    lookupReplicas = Math.floor(lookupReplicas / 2);
  }
  return {
    tables: { rows, rowsPerBlock, channelsPerBlock, counterBytes, lookupReplicas },
    sharedBytes:
      counterBytes + (lookup === null || lookupReplicas === 0 ? 0 : lookupBytes(lookup, lookupReplicas)),
  };
}

/** Returns the number of replicas, reduced if all channels then fit into a block. */
function forAllChannels(most: number, rows: number, limits: DeviceLimits): number {
  let replicas = most;
  while (replicas >= PER_LANE_LEAST_TOGETHER) {
    if (tablesThatFit(rows * CELL_BYTES, replicas, limits) === replicas) return replicas;
    replicas = Math.floor(replicas / 2);
  }
  return most;
}

/** Returns the number of 16-byte loads that the samples take. */
function vectorsOf({ samples, sampleBytes = 1, channels = 1 }: LaunchRequest): number {
  return divideCeiling(samples * sampleBytes * channels, VECTOR_BYTES);
}

/** Returns the number of blocks that are worth starting. It is unlimited if the device's unit is not known. */
function blocksForFew(vectors: number, threads: number, { unit, units }: DeviceLimits): number {
  if (unit === undefined || vectors > PER_LANE_ONE_BLOCK_VECTORS * units) return Number.POSITIVE_INFINITY;
  const one = Math.min(PER_LANE_FEW_BLOCKS, divideCeiling(vectors, threads));
  const two = Math.min(units, divideCeiling(vectors, 2 * threads));
  return Math.max(1, one, two);
}

/** Returns the bytes of `replicas` copies of the padded thresholds, and of half that number of copies of the starts. */
function lookupBytes({ keyBytes, thresholds, starts }: LookupSize, replicas: number): number {
  const startCopies = Math.max(1, Math.floor(replicas / 2));
  return aligned((thresholds + RANK_PADDING) * keyBytes * replicas + starts * CELL_BYTES * startCopies);
}

/** Rounds up to 16 bytes, the size of a GPU's load. */
function aligned(bytes: number): number {
  return divideCeiling(bytes, VECTOR_BYTES) * VECTOR_BYTES;
}

/** Returns the bytes that a block may use without reducing the blocks per multiprocessor that `bytes` allows. */
function sharedWithoutLoss(bytes: number, threads: number, { sharedBytes, unit }: DeviceLimits): number {
  if (unit === undefined) return sharedBytes;
  const blocks = Math.min(
    unit.blocks,
    Math.floor(unit.threads / threads),
    Math.floor(unit.sharedBytes / (bytes + unit.reservedBytes)),
  );
  return Math.min(sharedBytes, Math.floor(unit.sharedBytes / Math.max(1, blocks)) - unit.reservedBytes);
}

function workersLaunch(
  { cells, samples, sampleBytes = 1 }: LaunchRequest,
  { units }: DeviceLimits,
): LaunchRule {
  const launch = (replicas: number, counterBits: 16 | 32, grouping: 1 | 2): LaunchRule => ({
    threads: 1,
    blocks: units,
    replicas,
    counterBits,
    cellsPerPass: cells,
    sharedBytes: (replicas * cells ** grouping * counterBits) / 8,
    // A lane counts one of `replicas` samples.
    wordsPerThread: counterBits === 16 ? Math.floor((U16_MAX * replicas) / WORD_BYTES) : null,
    own: { grouping } satisfies WorkerTables,
  });
  // Finding the cell of a wider sample takes so long that four counters are enough.
  if (sampleBytes > 1 || cells > BYTE_VALUES) return launch(WORKER_WIDE_LANES, 32, 1);
  if (divideCeiling(samples, units) < WORKER_PAIRS_FROM) return launch(WORKER_LANES, 16, 1);
  return launch(WORKER_PAIR_LANES, 32, 2);
}

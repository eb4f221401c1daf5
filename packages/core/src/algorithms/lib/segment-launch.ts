import {
  BYTE_VALUES,
  type DeviceLimits,
  divideCeiling,
  FLOW_ROWS,
  VECTOR_BYTES,
  WARP_THREADS,
} from "../../base/index.ts";
import type { LaunchRequest, LaunchRule } from "../../plan/index.ts";
import {
  SEGMENT_AHEAD_WORDS,
  SEGMENT_BLOCK_SAMPLES,
  SEGMENT_FOLD_WORDS,
  SEGMENT_SHORT_SAMPLES,
  SEGMENT_TABLE_SAMPLES,
  SEGMENT_TABLE_WARPS,
  SEGMENT_THREAD_SAMPLES,
  SEGMENT_THREADS,
  SEGMENT_TURNS,
  SEGMENT_WARP_SAMPLES,
  SEGMENT_WARPS,
  SEGMENT_WAVES,
} from "./limits.ts";
import { blocksThatFill, cellsThatFit, tooLittleShared } from "./shared.ts";

const CELL_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/**
 * How a grid is assigned to segments. If there are more segments than the grid takes at once, it takes them in
 * rounds.
 */
export type SegmentGrid = {
  /** Threads of a block that count one segment, or part, together: a warp, or all. */
  readonly threadsPerSegment: number;
  /** Segments, or parts, that a block counts in parallel. */
  readonly segmentsPerBlock: number;
  /** Samples per part. A longer segment has several parts, which are added up in its row. */
  readonly partSamples: number;
  /** Parts of the longest segment; 1: every row belongs to one table. */
  readonly blocksPerSegment: number;
  /** Rows of a table: its cells, plus three of flow if a sample can fall outside them. */
  readonly rows: number;
  /** Rows that a pass counts. */
  readonly rowsPerBlock: number;
};

/** The table of the threads of a segment. */
type Table = Pick<LaunchRule, "replicas" | "counterBits" | "wordsPerThread"> & {
  readonly threads: number;
  readonly bytes: number;
  readonly rowsPerBlock: number;
};

/**
 * The plan rule for GPUs. Segments of bytes get one table of byte counters each, with a column for each lane. Short and
 * long segments, and all other types, use counters of one word, in as many copies as the samples of a segment justify.
 * Segments longer than a part are split into parts.
 */
export function segmentLaunch(
  slug: string,
  request: LaunchRequest,
  limits: DeviceLimits,
): LaunchRule | string {
  const { cells, flow = false, samples, sampleBytes = 1, segments } = request;
  const { count, longest } = segments ?? { count: 1, longest: samples };
  const { unit, sharedBytes, warpBarriers = true } = limits;
  const mean = Math.min(longest, Math.ceil(samples / Math.max(1, count)));
  const rows = cells + (flow ? FLOW_ROWS : 0);
  const isBytes = sampleBytes === 1 && cells === BYTE_VALUES && sharedBytes >= BYTES_TABLE.bytes;
  const inBytes = isBytes && mean > SEGMENT_SHORT_SAMPLES && mean <= SEGMENT_WARP_SAMPLES;
  const table = inBytes ? bytesTable(mean, limits) : wordsTable(rows, mean, limits);
  if (table.rowsPerBlock === 0) return tooLittleShared(slug, CELL_BYTES, limits);
  const isWarp = table.threads === WARP_THREADS;
  // Without knowledge of the device's unit, a block is a single warp. Other algorithms may run larger blocks as fast.
  const side =
    isWarp && unit !== undefined && warpBarriers
      ? Math.min(SEGMENT_WARPS, Math.floor(sharedBytes / table.bytes))
      : 1;
  const segmentsPerBlock = Math.max(1, side);
  const threads = table.threads * segmentsPerBlock;
  const shared = table.bytes * segmentsPerBlock;
  const fill = blocksThatFill(threads, shared, Number.MAX_SAFE_INTEGER, limits);
  // A single segment uses the blocks that fill the device. Several segments use more, because some end earlier.
  const most = divideCeiling(samples, fill * segmentsPerBlock * (count > 1 ? SEGMENT_WAVES : 1));
  const partSamples = Math.max(SEGMENT_BLOCK_SAMPLES, wholeVectors(most));
  const blocksPerSegment = Math.max(1, divideCeiling(longest, partSamples));
  const parts = Math.min(count * blocksPerSegment, count + divideCeiling(samples, partSamples));
  const groups = Math.max(1, divideCeiling(parts, segmentsPerBlock));
  // Warps, and threads with byte counters, load their next segment while they count one. Blocks hide each other's loads.
  const inTurns = unit === undefined ? 0 : divideCeiling(groups, isWarp || inBytes ? SEGMENT_TURNS : 1);
  return {
    threads,
    blocks: Math.min(groups, Math.max(SEGMENT_WAVES * fill, inTurns)),
    replicas: table.replicas,
    counterBits: table.counterBits,
    cellsPerPass: Math.min(cells, table.rowsPerBlock),
    sharedBytes: shared,
    wordsPerThread: table.wordsPerThread,
    passes: divideCeiling(rows, table.rowsPerBlock),
    own: {
      threadsPerSegment: table.threads,
      segmentsPerBlock,
      partSamples,
      blocksPerSegment,
      rows,
      rowsPerBlock: table.rowsPerBlock,
    } satisfies SegmentGrid,
  };
}

/** A warp's byte counters, one column per lane, so that lanes never collide in a counter or a bank. */
const BYTES_TABLE: Table = {
  threads: WARP_THREADS,
  replicas: WARP_THREADS,
  counterBits: 8,
  wordsPerThread: SEGMENT_FOLD_WORDS,
  bytes: BYTE_VALUES * WARP_THREADS,
  rowsPerBlock: BYTE_VALUES,
};

/**
 * Returns a table of byte counters. If a warp has no barriers of its own, a block counts the segment, and several warps
 * share the table's columns: as many as have a load of 16 bytes for each thread.
 */
function bytesTable(mean: number, { warpBarriers = true, blockThreads }: DeviceLimits): Table {
  if (warpBarriers) return BYTES_TABLE;
  const most = Math.min(SEGMENT_TABLE_WARPS * WARP_THREADS, blockThreads, mean / VECTOR_BYTES);
  let warps = 1;
  while (warps * 2 * WARP_THREADS <= most) warps *= 2;
  return {
    ...BYTES_TABLE,
    threads: warps * WARP_THREADS,
    wordsPerThread: Math.min(SEGMENT_AHEAD_WORDS, Math.floor(SEGMENT_FOLD_WORDS / warps)),
  };
}

/** Returns a table of one-word counters. More samples justify more threads and more copies to clear and add up. */
function wordsTable(rows: number, mean: number, limits: DeviceLimits): Table {
  const { blockThreads, banks, unit, sharedBytes } = limits;
  const most = Math.max(WARP_THREADS, Math.min(SEGMENT_THREADS, blockThreads));
  let threads = WARP_THREADS;
  while (mean > SEGMENT_SHORT_SAMPLES && threads * 2 <= most && threads * SEGMENT_THREAD_SAMPLES < mean) {
    threads *= 2;
  }
  // Two blocks per multiprocessor hide each other's barriers.
  const budget =
    unit === undefined
      ? sharedBytes
      : Math.min(sharedBytes, Math.floor(unit.sharedBytes / 2) - unit.reservedBytes);
  let replicas = 1;
  while (
    replicas * 2 <= banks &&
    rows * replicas * 2 * CELL_BYTES <= budget &&
    rows * replicas * 2 * SEGMENT_TABLE_SAMPLES <= mean
  ) {
    replicas *= 2;
  }
  const rowsPerBlock = cellsThatFit(rows, replicas * CELL_BYTES, limits);
  return {
    threads,
    replicas,
    counterBits: 32,
    wordsPerThread: null,
    rowsPerBlock,
    bytes: wholeVectors(rowsPerBlock * replicas * CELL_BYTES),
  };
}

/** Aligns tables to 16 bytes, which can be cleared at a time, and parts to 16-byte loads. */
function wholeVectors(bytes: number): number {
  return divideCeiling(bytes, VECTOR_BYTES) * VECTOR_BYTES;
}

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
  SEGMENT_BLOCK_SAMPLES,
  SEGMENT_FOLD_WORDS,
  SEGMENT_SHORT_SAMPLES,
  SEGMENT_TABLE_SAMPLES,
  SEGMENT_THREAD_SAMPLES,
  SEGMENT_THREADS,
  SEGMENT_TURNS,
  SEGMENT_WARP_SAMPLES,
  SEGMENT_WARPS,
  SEGMENT_WAVES,
} from "./limits.ts";
import { blocksThatFill, cellsThatFit, tooLittleShared } from "./shared.ts";

const CELL_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** How a grid is dealt out to segments. They are taken in turns, where there are more than the grid takes at once. */
export type SegmentGrid = {
  /** Threads of a block that count one segment, or a part of it, together: a warp, or all. */
  readonly threadsPerSegment: number;
  /** Segments, or parts, that a block counts side by side. */
  readonly segmentsPerBlock: number;
  /** Samples of a part; a longer segment is several parts, which are added up in its row. */
  readonly partSamples: number;
  /** Parts of the longest segment; 1: every row is a table's own. */
  readonly blocksPerSegment: number;
  /** Rows of a table: its cells, and three of flow where a sample can fall outside them. */
  readonly rows: number;
  /** Rows that a pass counts. */
  readonly rowsPerBlock: number;
};

/** What the threads of a segment count in. */
type Table = Pick<LaunchRule, "replicas" | "counterBits" | "wordsPerThread"> & {
  readonly threads: number;
  readonly bytes: number;
  readonly rowsPerBlock: number;
};

/**
 * A GPU's rule. Bytes: a warp a segment, in byte counters that each lane has for itself. All else, and what is short or
 * long: words, in as many copies as the samples of a segment pay for. What is longer than a part is several of them.
 */
export function segmentLaunch(request: LaunchRequest, limits: DeviceLimits): LaunchRule | string {
  const { cells, flow = false, samples, sampleBytes = 1, segments } = request;
  const { count, longest } = segments ?? { count: 1, longest: samples };
  const { unit, sharedBytes } = limits;
  const mean = Math.min(longest, Math.ceil(samples / Math.max(1, count)));
  const rows = cells + (flow ? FLOW_ROWS : 0);
  const isBytes = sampleBytes === 1 && cells === BYTE_VALUES && sharedBytes >= BYTES_TABLE.bytes;
  const inBytes = isBytes && mean > SEGMENT_SHORT_SAMPLES && mean <= SEGMENT_WARP_SAMPLES;
  const table = inBytes ? BYTES_TABLE : wordsTable(rows, mean, limits);
  if (table.rowsPerBlock === 0) return tooLittleShared("per-segment", CELL_BYTES, limits);
  const isWarp = table.threads === WARP_THREADS;
  // A warp alone is a block where little is known of the device: others may run blocks of any threads as fast.
  const side =
    isWarp && unit !== undefined ? Math.min(SEGMENT_WARPS, Math.floor(sharedBytes / table.bytes)) : 1;
  const segmentsPerBlock = Math.max(1, side);
  const threads = table.threads * segmentsPerBlock;
  const shared = table.bytes * segmentsPerBlock;
  const fill = blocksThatFill(threads, shared, Number.MAX_SAFE_INTEGER, limits);
  // One segment is the blocks' that fill the device; of several some end sooner.
  const most = divideCeiling(samples, fill * segmentsPerBlock * (count > 1 ? SEGMENT_WAVES : 1));
  const partSamples = Math.max(SEGMENT_BLOCK_SAMPLES, wholeVectors(most));
  const blocksPerSegment = Math.max(1, divideCeiling(longest, partSamples));
  const parts = Math.min(count * blocksPerSegment, count + divideCeiling(samples, partSamples));
  const groups = Math.max(1, divideCeiling(parts, segmentsPerBlock));
  // A warp's next segment is on its way while it counts one; blocks hide each other's loads.
  const inTurns = unit === undefined ? 0 : divideCeiling(groups, isWarp ? SEGMENT_TURNS : 1);
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

/** A warp's counters of a byte each, a column a lane: no lane meets another, neither in a counter nor in a bank. */
const BYTES_TABLE: Table = {
  threads: WARP_THREADS,
  replicas: WARP_THREADS,
  counterBits: 8,
  wordsPerThread: SEGMENT_FOLD_WORDS,
  bytes: BYTE_VALUES * WARP_THREADS,
  rowsPerBlock: BYTE_VALUES,
};

/** Counters of a word: more threads, and copies of each, the more samples there are to pay for clearing and adding up. */
function wordsTable(rows: number, mean: number, limits: DeviceLimits): Table {
  const { blockThreads, banks, unit, sharedBytes } = limits;
  const most = Math.max(WARP_THREADS, Math.min(SEGMENT_THREADS, blockThreads));
  let threads = WARP_THREADS;
  while (mean > SEGMENT_SHORT_SAMPLES && threads * 2 <= most && threads * SEGMENT_THREAD_SAMPLES < mean) {
    threads *= 2;
  }
  // Two blocks a multiprocessor hide each other's barriers.
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

/** Tables begin where 16 bytes can be cleared at a time, parts where they can be loaded. */
function wholeVectors(bytes: number): number {
  return divideCeiling(bytes, VECTOR_BYTES) * VECTOR_BYTES;
}

import { type DeviceLimits, divideCeiling, FLOW_ROWS } from "../../base/index.ts";
import type { LaunchRequest, LaunchRule } from "../../plan/index.ts";
import { SEGMENT_BLOCK_SAMPLES, SEGMENT_THREADS, SEGMENT_WARP_SAMPLES } from "./limits.ts";
import { blocksThatFill, cellsThatFit, tooLittleShared } from "./shared.ts";

const CELL_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** How a grid is dealt out to segments. Segments are taken in rounds: a block's next ones are a grid further on. */
export type SegmentGrid = {
  /** Threads of a block that count one segment together: a warp, or all. */
  readonly threadsPerSegment: number;
  /** Segments that a block counts side by side. */
  readonly segmentsPerBlock: number;
  /** Blocks that share each segment, and add their tables into its row; 1: the row is the table's own. */
  readonly blocksPerSegment: number;
  /** Rows of a table: its cells, and three of flow where a sample can fall outside them. */
  readonly rows: number;
  /** Rows that a pass counts. */
  readonly rowsPerBlock: number;
};

/**
 * A GPU's rule. Many short segments: a warp each, several a block. Longer ones, or few: a block each. Where those do not
 * fill the device: as many blocks a segment as do, none with less than SEGMENT_BLOCK_SAMPLES.
 */
export function segmentLaunch(request: LaunchRequest, limits: DeviceLimits): LaunchRule | string {
  const { cells, flow = false, samples, segments } = request;
  const { count, longest } = segments ?? { count: 1, longest: samples };
  const { warp, units, blockThreads } = limits;
  const most = Math.max(warp, Math.min(SEGMENT_THREADS, blockThreads));
  const rows = cells + (flow ? FLOW_ROWS : 0);
  const side = Math.min(Math.floor(most / warp), Math.floor(limits.sharedBytes / (rows * CELL_BYTES)));
  const isShort = longest <= SEGMENT_WARP_SAMPLES && count >= units * side && side > 0;
  const segmentsPerBlock = isShort ? side : 1;
  const threadsPerSegment = isShort ? warp : most;
  const threads = threadsPerSegment * segmentsPerBlock;
  const rowsPerBlock = cellsThatFit(rows, segmentsPerBlock * CELL_BYTES, limits);
  if (rowsPerBlock === 0) return tooLittleShared("per-segment", CELL_BYTES, limits);
  const sharedBytes = segmentsPerBlock * rowsPerBlock * CELL_BYTES;
  const fill = blocksThatFill(threads, sharedBytes, Number.MAX_SAFE_INTEGER, limits);
  const blocksPerSegment = isShort
    ? 1
    : Math.max(
        1,
        Math.min(Math.floor(fill / Math.max(1, count)), divideCeiling(longest, SEGMENT_BLOCK_SAMPLES)),
      );
  const groups = Math.min(
    divideCeiling(count, segmentsPerBlock),
    Math.max(1, Math.floor(fill / blocksPerSegment)),
  );
  return {
    threads,
    blocks: Math.max(1, groups * blocksPerSegment),
    replicas: 1,
    counterBits: 32,
    cellsPerPass: Math.min(cells, rowsPerBlock),
    sharedBytes,
    wordsPerThread: null,
    passes: divideCeiling(rows, rowsPerBlock),
    own: { threadsPerSegment, segmentsPerBlock, blocksPerSegment, rows, rowsPerBlock } satisfies SegmentGrid,
  };
}

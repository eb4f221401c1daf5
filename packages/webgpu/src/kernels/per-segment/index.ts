import { algorithms, limits as core, type Fields, type SegmentGrid } from "@polybin/core/backend";
import { SHADERS } from "../generated/shaders.ts";
import { gridOf } from "../lib/grid.ts";
import type { CountKernel, CountShape, Stage } from "../lib/kernel.ts";
import { NO_SEGMENTS, SEGMENT_FIELDS } from "../lib/segments.ts";
import { VECTORS } from "../lib/vectors.ts";

const OWN: Fields = {
  ...SEGMENT_FIELDS,
  /** Samples of a part. */
  partSamples: "u32",
  /** Rows of a table, and the rows that a workgroup counts. */
  rows: "u32",
  rowsPerBlock: "u32",
};

const POSITIONS = ["CHANNEL_0", "CHANNEL_1", "CHANNEL_2", "CHANNEL_3"] as const;

/** Threads that share the columns of a table: as many as a table has rows, or twice as many. */
const EVEN_THREADS: readonly number[] = [2 * core.WARP_THREADS, 4 * core.WARP_THREADS];

function gridOfPlan({ own }: CountShape["plan"]): SegmentGrid {
  return own as unknown as SegmentGrid;
}

function stageOf(shape: CountShape, segmented: boolean): Stage {
  const { plan, channels, interleaved, lowering, flow, limits } = shape;
  const { threadsPerSegment, rowsPerBlock } = gridOfPlan(plan);
  const inBytes = plan.wordsPerThread !== null;
  const { blocks, passes } = plan;
  return {
    label: "per-segment",
    parts: [
      ...lowering.parts,
      lowering.lookupParts.global,
      VECTORS[lowering.sampleBytes]!,
      SHADERS["per-segment/parts"],
      inBytes ? SHADERS["per-segment/bytes"] : SHADERS["per-segment/words"],
    ],
    entry: "count",
    ...(!inBytes && { consts: { REPLICAS: plan.replicas } }),
    constants: {
      ...lowering.constants,
      THREADS: threadsPerSegment,
      INTERLEAVED: interleaved,
      SEGMENTED: Number(segmented),
      RANKED: Number(lowering.ranked),
      // Segments have one channel, which the params give.
      ...Object.fromEntries(POSITIONS.map((name, i) => [name, segmented ? 0 : (channels[i] ?? 0)])),
      ...(inBytes
        ? { FOLD_VECTORS: (plan.wordsPerThread! * threadsPerSegment) / core.WORD_BYTES }
        : {
            ROWS: rowsPerBlock,
            WINDOWED: Number(passes > 1),
            FIRST_ROW: Number(lowering.ranked && !flow),
          }),
    },
    grid: segmented ? [...gridOf(blocks, limits), passes] : [blocks, passes, channels.length],
  };
}

/** The dispatch over even segments in byte counters. even.wgsl has columns for these numbers of threads. */
function evenStageOf({ plan, lowering, limits }: CountShape): Stage | null {
  const { threadsPerSegment } = gridOfPlan(plan);
  if (plan.wordsPerThread === null || !EVEN_THREADS.includes(threadsPerSegment)) return null;
  return {
    label: "per-segment even",
    parts: [...lowering.parts, SHADERS["per-segment/even"]],
    entry: "countEven",
    constants: { ...lowering.constants, THREADS: threadsPerSegment },
    grid: gridOf(plan.blocks, limits),
  };
}

export const kernel: CountKernel = {
  kind: "count",
  algorithm: algorithms["per-segment"],
  reads: "samples",
  own: OWN,
  params: (plan) => {
    const { partSamples, rows, rowsPerBlock } = gridOfPlan(plan);
    return { ...NO_SEGMENTS, partSamples, rows, rowsPerBlock };
  },
  stages: (shape) => [stageOf(shape, false)],
  segments: (shape) => stageOf(shape, true),
  evenSegments: evenStageOf,
};

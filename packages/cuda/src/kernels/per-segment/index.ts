import { algorithms, limits, type SegmentGrid } from "@polybin/core/backend";
import { samplesKernel } from "../descriptor.ts";

const { SEGMENT_THREADS, SEGMENT_WARPS, SEGMENT_FOLD_WORDS } = limits;

export const kernel = samplesKernel(algorithms["per-segment"], {
  narrow: true,
  delivers: false,
  segments: true,
  own: {
    /** Threads that count one segment, or a part of it, together; and how many of those a block counts side by side. */
    threadsPerSegment: "u32",
    segmentsPerBlock: "u32",
    /** Samples of a part. */
    partSamples: "u32",
    /** Rows of a table, and those that a block counts. */
    rows: "u32",
    rowsPerBlock: "u32",
  },
  of: ({ own }) => {
    const { threadsPerSegment, segmentsPerBlock, partSamples, rows, rowsPerBlock } = own as SegmentGrid;
    return { threadsPerSegment, segmentsPerBlock, partSamples, rows, rowsPerBlock };
  },
  constants: { SEGMENT_THREADS, SEGMENT_WARPS, SEGMENT_FOLD_WORDS },
});

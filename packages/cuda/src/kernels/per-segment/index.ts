import { algorithms, limits, type SegmentGrid } from "@polybin/core/backend";
import { samplesKernel } from "../descriptor.ts";

const { SEGMENT_THREADS, SEGMENT_WARPS, SEGMENT_FOLD_WORDS } = limits;

export const kernel = samplesKernel(algorithms["per-segment"], {
  narrow: true,
  delivers: false,
  segments: true,
  own: {
    /**
     * The number of threads that count a segment, or a part of it, together, and the number of segments that a block
     * counts at once.
     */
    threadsPerSegment: "u32",
    segmentsPerBlock: "u32",
    /** The number of samples of a part. */
    partSamples: "u32",
    /** The number of rows of a table, and the number that a block counts. */
    rows: "u32",
    rowsPerBlock: "u32",
  },
  of: ({ own }) => {
    const { threadsPerSegment, segmentsPerBlock, partSamples, rows, rowsPerBlock } = own as SegmentGrid;
    return { threadsPerSegment, segmentsPerBlock, partSamples, rows, rowsPerBlock };
  },
  constants: { SEGMENT_THREADS, SEGMENT_WARPS, SEGMENT_FOLD_WORDS },
});

import { FLOW_ROWS, PolybinError, U32_MAX } from "../base/index.ts";
import { type Segments, segmentPixels } from "../input/index.ts";
import type { SegmentCounts } from "./counted.ts";
import type { RowNumbers } from "./segmented.ts";

/** Counts of segments that a device adds to. */
export interface Rows {
  /** segments x bins, all 0. */
  readonly counts: RowNumbers;
  /** segments x 3, all 0; null if every sample lies in a bin. */
  readonly flow: RowNumbers | null;
}

/** Returns true if 32 bits may not hold a count of these segments. */
export function needsDoubles({ longest }: Pick<Segments, "longest">): boolean {
  return longest > U32_MAX;
}

/**
 * Creates cleared rows for segments, over the user's array or in new memory.
 * @param memory allocates memory other than an ArrayBuffer.
 * @throws ERR_OUT_OF_MEMORY if the memory is not available.
 */
export function newRows(
  segments: Pick<Segments, "count" | "longest">,
  { bins, flow }: { readonly bins: number; readonly flow: boolean },
  into?: Uint32Array,
  memory: (bytes: number) => ArrayBufferLike = (bytes) => new ArrayBuffer(bytes),
): Rows {
  const { count } = segments;
  const Numbers: NumbersOver = needsDoubles(segments) ? Float64Array : Uint32Array;
  const make = (length: number): RowNumbers => {
    try {
      return new Numbers(memory(length * Numbers.BYTES_PER_ELEMENT));
    } catch (cause) {
      throw new PolybinError(
        "ERR_OUT_OF_MEMORY",
        `expected memory for the counts of ${count} segments, ${length} numbers, but it is not available: count fewer at a time`,
        { cause },
      );
    }
  };
  return {
    counts: into === undefined ? make(count * bins) : into.fill(0),
    flow: flow ? make(count * FLOW_ROWS) : null,
  };
}

interface NumbersOver {
  new (memory: ArrayBufferLike): RowNumbers;
  readonly BYTES_PER_ELEMENT: number;
}

/** @throws ERR_MISCOUNT if a row does not have the samples of its segment. No result is better than a wrong one. */
export function checkRow(segment: number, seen: number, pixels: number, algorithm: string): void {
  if (seen === pixels) return;
  throw new PolybinError(
    "ERR_MISCOUNT",
    `expected counts of ${pixels} samples in segment ${segment} but the device counted ${seen}; the result was discarded`,
    { algorithm },
  );
}

/** Converts rows over an ordered axis into rows of the axis that it stands for (`CountedAs`). */
export function regroupedRows(
  { counts, flow, timings }: SegmentCounts,
  {
    segments,
    codes,
    bins,
  }: { readonly segments: number; readonly codes: Uint32Array; readonly bins: number },
  into?: Uint32Array,
): SegmentCounts {
  const longest = counts instanceof Float64Array ? U32_MAX + 1 : 0;
  const rows = newRows({ count: segments, longest }, { bins, flow: true }, into);
  const width = codes.length - FLOW_ROWS;
  const add = (segment: number, code: number, amount: number): void => {
    if (code < bins) rows.counts[segment * bins + code]! += amount;
    else rows.flow![segment * FLOW_ROWS + code - bins]! += amount;
  };
  for (let segment = 0; segment < segments; segment++) {
    for (let code = 0; code < width; code++) add(segment, codes[code]!, counts[segment * width + code]!);
    for (let kind = 0; flow !== null && kind < FLOW_ROWS; kind++) {
      add(segment, codes[width + kind]!, flow[segment * FLOW_ROWS + kind]!);
    }
  }
  return { ...rows, timings };
}

/** Creates the rows of segments in which every sample has the same code. */
export function rowsOfCode(
  segments: Segments,
  bins: number,
  code: number | null,
  into?: Uint32Array,
): SegmentCounts {
  const rows = newRows(segments, { bins, flow: code !== null && code >= bins }, into);
  for (let i = 0; code !== null && i < segments.count; i++) {
    const pixels = segmentPixels(segments, i);
    if (code < bins) rows.counts[i * bins + code] = pixels;
    else rows.flow![i * FLOW_ROWS + code - bins] = pixels;
  }
  return { ...rows, timings: { readMs: 0, uploadMs: 0, kernelMs: 0 } };
}

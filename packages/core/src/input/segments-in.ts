import type { Segments } from "./segments.ts";

/** A range of segment numbers. */
export interface SegmentRange {
  readonly first: number;
  readonly end: number;
}

/**
 * Returns the segments that overlap the pixels [first, end) of the samples, including empty segments between and
 * around them. The ranges of consecutive parts of the samples cover every segment. A segment that is cut by a
 * boundary is in both ranges.
 */
export function segmentsIn(of: Segments, first: number, end: number): SegmentRange {
  return {
    first: first === 0 ? 0 : beginning(of, first),
    end: end >= of.pixels ? of.count : Math.min(of.count, beginning(of, end) + step(of)),
  };
}

/** Number of segments that are cut together: a row of tiles, or one. */
function step(of: Segments): number {
  return of.kind === "tiles" ? of.columns : 1;
}

/** Returns the last segment, or the first of a row of tiles, that begins at or before this pixel; 0 if none does. */
function beginning(of: Segments, pixel: number): number {
  switch (of.kind) {
    case "every":
      return Math.floor(pixel / of.every);
    case "tiles":
      return Math.floor(pixel / of.imageWidth / of.height) * of.columns;
    case "offsets": {
      let low = 0;
      let high = of.count;
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (of.offsets[middle]! <= pixel) low = middle;
        else high = middle;
      }
      return low;
    }
  }
}

import type { Segments } from "./segments.ts";

/** Some segments, by their numbers. */
export interface SegmentRange {
  readonly first: number;
  readonly end: number;
}

/**
 * The segments that have pixels of [first, end) of the samples, and what is between them and around: the ranges of parts
 * of the samples that follow one another leave none out, though it have no pixels, and have those in common that are cut.
 */
export function segmentsIn(of: Segments, first: number, end: number): SegmentRange {
  return {
    first: first === 0 ? 0 : beginning(of, first),
    end: end >= of.pixels ? of.count : Math.min(of.count, beginning(of, end) + step(of)),
  };
}

/** Segments of a row: of tiles those are cut together. */
function step(of: Segments): number {
  return of.kind === "tiles" ? of.columns : 1;
}

/** The last segment, or the first of a row of tiles, that begins with this pixel or before it; 0 where none does. */
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

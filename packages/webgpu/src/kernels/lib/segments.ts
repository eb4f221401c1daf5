import type { FieldValues } from "@polybin/core/backend";

/** How a dispatch's segments are cut. Pixels count from the binding's first. */
export const SEGMENT_FIELDS = {
  /** One of CUTS. */
  cut: "u32",
  /** The number of parts, and of parts per segment. Each listed part counts as one. */
  parts: "u32",
  partsEach: "u32",
  /** Position of the counted channel in the pixel. */
  channel: "u32",
  /** The row of the first segment. */
  firstRow: "u32",
  /** The first segment's first pixel (for tiles, the first pixel of their row), and the pixels of a segment. */
  start: "u32",
  every: "u32",
  /**
   * The number of tiles before the first one in its row, a tile's size, the number of tiles per row, the image's width,
   * and its height from `start` on.
   */
  firstTile: "u32",
  width: "u32",
  height: "u32",
  columns: "u32",
  imageWidth: "u32",
  imageHeight: "u32",
  /** Bins of a row, and the start of the flow counts after all rows. */
  rowBins: "u32",
  flowAt: "u32",
  /** Whether counts are added to the existing ones (1). Whether binding 1 sorts raw values into bins (1). */
  adds: "u32",
  coded: "u32",
} as const;

export type SegmentValues = FieldValues<typeof SEGMENT_FIELDS>;

/** The values for all samples as one segment. */
export const NO_SEGMENTS: SegmentValues = {
  ...(Object.fromEntries(Object.keys(SEGMENT_FIELDS).map((name) => [name, 0])) as SegmentValues),
  partsEach: 1,
  columns: 1,
};

/** The ways to cut segments: equal lengths, a list in binding 3, or tiles. */
export const CUTS = { every: 0, listed: 1, tiles: 2 } as const;

/** Words of a listed part: row, first pixel, pixels. */
export const LISTED_WORDS = 3;

/**
 * How a dispatch's segments are cut. NO_SEGMENTS stands for all samples as one segment. Pixels count from the binding's
 * first.
 */
export interface SegmentValues {
  /** One of CUTS. */
  readonly cut: number;
  /** The number of parts, and of parts per segment. Each listed part counts as one. */
  readonly parts: number;
  readonly partsEach: number;
  /** Position of the counted channel in the pixel. */
  readonly channel: number;
  /** The row of the first segment. */
  readonly firstRow: number;
  /** The first segment's first pixel (for tiles, the first pixel of their row), and the pixels of a segment. */
  readonly start: number;
  readonly every: number;
  /**
   * The number of tiles before the first one in its row, a tile's size, the number of tiles per row, the image's width,
   * and its height from `start` on.
   */
  readonly firstTile: number;
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly imageWidth: number;
  readonly imageHeight: number;
  /** Bins of a row, and the start of the flow counts after all rows. */
  readonly rowBins: number;
  readonly flowAt: number;
  /** Whether counts are added to the existing ones (1). Whether binding 1 sorts raw values into bins (1). */
  readonly adds: number;
  readonly coded: number;
}

export const SEGMENT_FIELDS: { readonly [name in keyof SegmentValues]: "u32" } = {
  cut: "u32",
  parts: "u32",
  partsEach: "u32",
  channel: "u32",
  firstRow: "u32",
  start: "u32",
  every: "u32",
  firstTile: "u32",
  width: "u32",
  height: "u32",
  columns: "u32",
  imageWidth: "u32",
  imageHeight: "u32",
  rowBins: "u32",
  flowAt: "u32",
  adds: "u32",
  coded: "u32",
};

/** The values for all samples as one segment. */
export const NO_SEGMENTS: SegmentValues = {
  cut: 0,
  parts: 0,
  partsEach: 1,
  channel: 0,
  firstRow: 0,
  start: 0,
  every: 0,
  firstTile: 0,
  width: 0,
  height: 0,
  columns: 1,
  imageWidth: 0,
  imageHeight: 0,
  rowBins: 0,
  flowAt: 0,
  adds: 0,
  coded: 0,
};

/** The ways to cut segments: equal lengths, a list in binding 3, or tiles. */
export const CUTS = { every: 0, listed: 1, tiles: 2 } as const;

/** Words of a listed part: row, first pixel, pixels. */
export const LISTED_WORDS = 3;

/** How a dispatch's segments are cut; of all samples nothing. Pixels are counted from the binding's first. */
export interface SegmentValues {
  /** CUTS. */
  readonly cut: number;
  /** Parts of all, and of each segment; of listed ones each is one. */
  readonly parts: number;
  readonly partsEach: number;
  /** Position in the pixel of what is counted. */
  readonly channel: number;
  /** The row of the first segment. */
  readonly firstRow: number;
  /** Where the first segment begins, of tiles the first row of tiles; pixels of a segment. */
  readonly start: number;
  readonly every: number;
  /** Tiles before the first in its row; their size; tiles of a row; pixels across, and down from `start` on. */
  readonly firstTile: number;
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly imageWidth: number;
  readonly imageHeight: number;
  /** Bins of a row, and where flow begins behind all rows. */
  readonly rowBins: number;
  readonly flowAt: number;
  /** 1: counts are added to what is there. 1: raw values are sorted into bins, by binding 1. */
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

/** Of all samples, which are one segment. */
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

/** How segments are cut: so many pixels each, by a list in binding 3, or in tiles. */
export const CUTS = { every: 0, listed: 1, tiles: 2 } as const;

/** Words of a listed part: row, first pixel, pixels. */
export const LISTED_WORDS = 3;

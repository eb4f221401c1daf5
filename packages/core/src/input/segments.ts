/**
 * How samples are cut into segments, each with a histogram of its own. Lengths and offsets are in pixels.
 *
 *   every     0 ... every | every ... 2 * every | ...      one behind the other; the last may be shorter
 *   offsets   [o0, o1) | [o1, o2) | ...                    what lies before o0 and behind the last is not counted
 *   tiles     row by row over a picture; those at its right and lower border may be smaller
 */
export type Segments = {
  /** How many there are. */
  readonly count: number;
  /** Pixels of the longest. */
  readonly longest: number;
} & (
  | { readonly kind: "every"; readonly every: number }
  /** `offsets`: count + 1 numbers, each at least the one before it. */
  | { readonly kind: "offsets"; readonly offsets: Float64Array }
  | {
      readonly kind: "tiles";
      readonly width: number;
      readonly height: number;
      /** Tiles of a row, and rows of tiles. */
      readonly columns: number;
      readonly rows: number;
    }
);

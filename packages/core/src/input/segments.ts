import { checkNames, expected, PolybinError } from "../base/index.ts";
import { nameOfArray } from "./bytes.ts";
import { checkedWhole } from "./samples.ts";

/**
 * Defines how samples are cut into segments. Lengths and offsets are in pixels.
 *
 *   every     consecutive segments of this length; the last may be shorter
 *   offsets   ascending, one more than segments; pixels before the first and from the last on are not counted
 *   tiles     rectangles of a picture, row by row; those at its right and lower border may be smaller
 */
export type SegmentsInit =
  | { readonly every: number; readonly offsets?: undefined; readonly tiles?: undefined }
  | { readonly offsets: ArrayLike<number>; readonly every?: undefined; readonly tiles?: undefined }
  | {
      readonly tiles: { readonly width: number; readonly height: number };
      readonly every?: undefined;
      readonly offsets?: undefined;
    };

/**
 * Checked segments with one histogram each. Lengths and offsets are in pixels.
 *
 *   every     0 ... every | every ... 2 * every | ...      consecutive; the last may be shorter
 *   offsets   [o0, o1) | [o1, o2) | ...                    pixels before o0 and from the last on are not counted
 *   tiles     row by row over a picture; those at its right and lower border may be smaller
 */
export type Segments = {
  /** Number of segments. */
  readonly count: number;
  /** Pixels of the longest segment. */
  readonly longest: number;
  /** Pixels of the samples, counted or not. */
  readonly pixels: number;
} & (
  | { readonly kind: "every"; readonly every: number }
  /** `offsets`: count + 1 numbers, each at least as large as the one before it. */
  | { readonly kind: "offsets"; readonly offsets: Float64Array }
  | {
      readonly kind: "tiles";
      readonly width: number;
      readonly height: number;
      /** Tiles per row, and rows of tiles. */
      readonly columns: number;
      readonly rows: number;
      /** Pixels per row of the picture, and its number of rows. */
      readonly imageWidth: number;
      readonly imageHeight: number;
    }
);

/** The samples to cut: their number of pixels, and the size of their picture if they have one. */
export interface Cuttable {
  readonly pixels: number;
  readonly image: { readonly width: number; readonly height: number } | null;
}

const NAMES = ["every", "offsets", "tiles"] as const;

/** Checks a description of segments. @throws ERR_INPUT if it is invalid or does not fit the samples. */
export function segmentsOf(init: SegmentsInit, of: Cuttable): Segments {
  checkNames(init, NAMES, { of: "segments" });
  const given = NAMES.filter((name) => init[name] !== undefined);
  if (given.length !== 1) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected either every, offsets or tiles in segments but received ${given.join(" and ") || "none"}`,
    );
  }
  if (init.every !== undefined) return cutEvery(init.every, of.pixels);
  if (init.offsets !== undefined) return cutAt(init.offsets, of.pixels);
  return cutInTiles(init.tiles, of);
}

function cutEvery(every: number, pixels: number): Segments {
  checkedWhole(every, "segments.every", 1);
  const count = Math.ceil(pixels / every);
  return Object.freeze({ kind: "every", every, count, longest: Math.min(every, pixels), pixels });
}

function cutAt(given: ArrayLike<number>, pixels: number): Segments {
  const offsets = numbersOf(given);
  let longest = 0;
  let before = 0;
  for (let i = 0; i < offsets.length; i++) {
    const at = offsets[i]!;
    if (!Number.isInteger(at) || at < before || at > pixels) {
      const least = i === 0 ? "" : ` and not below the offset before it (${before})`;
      throw expected(
        "ERR_INPUT",
        `segments.offsets[${i}]`,
        `a whole number up to ${pixels}${least}`,
        given[i],
      );
    }
    if (i > 0 && at - before > longest) longest = at - before;
    before = at;
  }
  return Object.freeze({ kind: "offsets", offsets, count: offsets.length - 1, longest, pixels });
}

/** Returns a copy, so that the caller cannot change checked values. */
function numbersOf(given: ArrayLike<number>): Float64Array {
  const isTyped = ArrayBuffer.isView(given) && nameOfArray(given)?.startsWith("Big") === false;
  if (!isTyped && !Array.isArray(given)) {
    throw expected("ERR_INPUT", "segments.offsets", "an array of numbers", given);
  }
  if (given.length === 0) {
    throw new PolybinError(
      "ERR_INPUT",
      "expected one offset more than segments, so at least one, for segments.offsets but received none",
    );
  }
  // Other values, such as strings, must not be converted to numbers.
  return Float64Array.from(given, (value) => (typeof value === "number" ? value : Number.NaN));
}

function cutInTiles(
  tiles: { readonly width: number; readonly height: number } | undefined,
  { pixels, image }: Cuttable,
): Segments {
  checkNames(tiles as object, ["width", "height"], { of: "segments.tiles" });
  const width = checkedWhole(tiles!.width, "segments.tiles.width", 1);
  const height = checkedWhole(tiles!.height, "segments.tiles.height", 1);
  if (image === null) {
    throw new PolybinError(
      "ERR_INPUT",
      "expected samples with a width for segments.tiles but these have none: pass { data, width }",
    );
  }
  const columns = Math.ceil(image.width / width);
  const rows = Math.ceil(image.height / height);
  return Object.freeze({
    kind: "tiles",
    width,
    height,
    columns,
    rows,
    imageWidth: image.width,
    imageHeight: image.height,
    count: columns * rows,
    longest: Math.min(width, image.width) * Math.min(height, image.height),
    pixels,
  });
}

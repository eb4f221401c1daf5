import {
  eachSegmentRun,
  limits,
  pixelsBefore,
  type SegmentRange,
  type Segments,
} from "@polybin/core/backend";
import { CUTS, NO_SEGMENTS, type SegmentValues } from "../../kernels/index.ts";

const { VECTOR_BYTES } = limits;

/** The pixels of a binding, as a range of all pixels. */
export interface Pixels {
  readonly begin: number;
  readonly end: number;
}

/** The dispatches over some segments of a chunk. */
export interface CutChunk {
  /** Segments that lie entirely in the chunk, described by a few numbers. Null if there are none. */
  readonly whole: SegmentValues | null;
  /** A list of parts of other segments, or of all segments: row, first pixel, pixels. */
  readonly listed: readonly number[];
  /** Whether a segment's row consists of several parts, in this chunk or others. All parts are then added to zeros. */
  readonly adds: boolean;
}

/** Describes how the segments of a range lie in a chunk. The first segment of the range has row 0. */
export function cutChunk(of: Segments, range: SegmentRange, chunk: Pixels, partSamples: number): CutChunk {
  const { first, end } = wholeSegments(of, range, chunk);
  const list = new List(of, chunk, partSamples);
  for (let i = range.first; i < first; i++) list.add(i - range.first, i);
  for (let i = end; i < range.end; i++) list.add(i - range.first, i);
  if (first === end) return { whole: null, listed: list.parts, adds: list.isSplit };
  const partsEach = Math.max(1, Math.ceil(of.longest / partSamples));
  const firstRow = first - range.first;
  const whole = { ...NO_SEGMENTS, parts: (end - first) * partsEach, partsEach, firstRow };
  return {
    whole: { ...whole, ...placeOf(of, first, chunk.begin) },
    listed: list.parts,
    adds: list.isSplit || partsEach > 1,
  };
}

/**
 * Returns how many of the first segments are even: they have their full length, begin at a whole vector and consist of
 * whole vectors.
 */
export function evenParts(of: SegmentValues, chunkPixels: number): number {
  const { cut, parts, partsEach, start, every } = of;
  const areWhole = start % VECTOR_BYTES === 0 && every % VECTOR_BYTES === 0;
  if (cut !== CUTS.every || partsEach > 1 || !areWhole || every === 0) return 0;
  return Math.min(parts, Math.floor((chunkPixels - start) / every));
}

/** Returns the segments of a range that begin and end in a chunk, and whose place a few numbers describe. */
function wholeSegments(of: Segments, { first, end }: SegmentRange, chunk: Pixels): SegmentRange {
  if (of.kind === "offsets") return { first, end: first };
  // A row of tiles has consecutive pixels, as any other segment has.
  const [pixels, each] = of.kind === "tiles" ? [of.height * of.imageWidth, of.columns] : [of.every, 1];
  const from = Math.max(first, Math.ceil(chunk.begin / pixels) * each);
  const last = chunk.end === of.pixels ? of.count : Math.floor(chunk.end / pixels) * each;
  const to = Math.min(end, last);
  return from < to ? { first: from, end: to } : { first, end: first };
}

/** Returns the place of whole segments from number `first` on. */
function placeOf(of: Segments, first: number, begin: number): Partial<SegmentValues> {
  if (of.kind !== "tiles") {
    const start = pixelsBefore(of, first) - begin;
    return { cut: CUTS.every, start, every: of.longest };
  }
  const { columns, imageWidth, imageHeight } = of;
  const top = Math.floor(first / columns) * of.height;
  return {
    ...{ cut: CUTS.tiles, start: top * imageWidth - begin, firstTile: first % columns, columns },
    ...{ width: Math.min(of.width, imageWidth), height: Math.min(of.height, imageHeight) },
    ...{ imageWidth, imageHeight: imageHeight - top },
  };
}

/** Parts in the form that the kernel reads. */
class List {
  readonly parts: number[] = [];
  /** Whether any part is not the whole of its segment. */
  isSplit = false;
  readonly #of: Segments;
  readonly #chunk: Pixels;
  readonly #partSamples: number;

  constructor(of: Segments, chunk: Pixels, partSamples: number) {
    this.#of = of;
    this.#chunk = chunk;
    this.#partSamples = partSamples;
  }

  /** Adds the pixels of a segment that lie in the chunk. An empty segment has a part, too, which writes its row. */
  add(row: number, segment: number): void {
    const of = this.#of;
    if (of.kind === "offsets") {
      this.#add(row, of.offsets[segment]!, of.offsets[segment + 1]!);
      return;
    }
    const from = pixelsBefore(of, segment);
    const to = pixelsBefore(of, segment + 1);
    eachSegmentRun(of, from, to, (first, count) => {
      if (count < to - from) this.isSplit = true;
      this.#add(row, first, first + count);
    });
  }

  /** Adds a run as one part or more. */
  #add(row: number, first: number, end: number): void {
    const { begin, end: last } = this.#chunk;
    const from = Math.min(last, Math.max(begin, first));
    const to = Math.max(from, Math.min(last, end));
    if (to - from < end - first || to - from > this.#partSamples) this.isSplit = true;
    if (from === to && first < end) return;
    let at = from;
    do {
      const pixels = Math.min(this.#partSamples, to - at);
      this.parts.push(row, at - begin, pixels);
      at += pixels;
    } while (at < to);
  }
}

import { limits, type SegmentRange, type Segments } from "@polybin/core/backend";
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

/** Segments that are cut in one way. */
type Cut<K extends Segments["kind"]> = Extract<Segments, { readonly kind: K }>;

/** Describes how the segments of a range lie in a chunk. The first segment of the range has row 0. */
export function cutChunk(of: Segments, range: SegmentRange, chunk: Pixels, partSamples: number): CutChunk {
  if (range.first === range.end) return { whole: null, listed: [], adds: false };
  if (of.kind === "offsets") return cutOffsets(of, range, chunk, partSamples);
  return of.kind === "every"
    ? cutEvery(of, range, chunk, partSamples)
    : cutTiles(of, range, chunk, partSamples);
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

function cutOffsets(of: Cut<"offsets">, range: SegmentRange, chunk: Pixels, partSamples: number): CutChunk {
  const list = new List(chunk, partSamples);
  for (let i = range.first; i < range.end; i++) list.add(i - range.first, of.offsets[i]!, of.offsets[i + 1]!);
  return { whole: null, listed: list.parts, adds: list.isSplit };
}

function cutEvery(
  of: Cut<"every">,
  range: SegmentRange,
  { begin, end }: Pixels,
  partSamples: number,
): CutChunk {
  const { every, pixels } = of;
  const startOf = (segment: number) => Math.min(pixels, segment * every);
  // The segments that begin and end in this chunk.
  const first = clamp(Math.ceil(begin / every), range);
  const last = clamp(end === pixels ? of.count : Math.floor(end / every), { first, end: range.end });
  const list = new List({ begin, end }, partSamples);
  for (let i = range.first; i < first; i++) list.add(i - range.first, startOf(i), startOf(i + 1));
  for (let i = last; i < range.end; i++) list.add(i - range.first, startOf(i), startOf(i + 1));
  const partsEach = Math.max(1, Math.ceil(Math.min(every, pixels) / partSamples));
  return {
    whole:
      first < last
        ? {
            ...NO_SEGMENTS,
            cut: CUTS.every,
            parts: (last - first) * partsEach,
            partsEach,
            firstRow: first - range.first,
            start: startOf(first) - begin,
            every: Math.min(every, pixels),
          }
        : null,
    listed: list.parts,
    adds: list.isSplit || partsEach > 1,
  };
}

function cutTiles(
  of: Cut<"tiles">,
  range: SegmentRange,
  { begin, end }: Pixels,
  partSamples: number,
): CutChunk {
  const { width, height, columns, imageWidth, imageHeight, longest } = of;
  const topOf = (row: number) => Math.min(imageHeight, row * height);
  const list = new List({ begin, end }, partSamples);
  const isWhole = (row: number) => topOf(row) * imageWidth >= begin && topOf(row + 1) * imageWidth <= end;
  const rowOf = (tile: number) => Math.floor(tile / columns);
  let first = range.first;
  while (first < range.end && !isWhole(rowOf(first)))
    first = Math.min(range.end, (rowOf(first) + 1) * columns);
  let last = first;
  while (last < range.end && isWhole(rowOf(last))) last = Math.min(range.end, (rowOf(last) + 1) * columns);
  for (let tile = range.first; tile < range.end; tile++) {
    if (tile >= first && tile < last) continue;
    const left = (tile % columns) * width;
    const right = Math.min(imageWidth, left + width);
    for (let y = topOf(rowOf(tile)); y < topOf(rowOf(tile) + 1); y++) {
      list.addRun(tile - range.first, y * imageWidth + left, y * imageWidth + right);
    }
  }
  const partsEach = Math.max(1, Math.ceil(longest / partSamples));
  const top = topOf(rowOf(first));
  return {
    whole:
      first < last
        ? {
            ...NO_SEGMENTS,
            cut: CUTS.tiles,
            parts: (last - first) * partsEach,
            partsEach,
            firstRow: first - range.first,
            start: top * imageWidth - begin,
            firstTile: first % columns,
            width: Math.min(width, imageWidth),
            height: Math.min(height, imageHeight),
            columns,
            imageWidth,
            imageHeight: imageHeight - top,
          }
        : null,
    listed: list.parts,
    adds: list.isSplit || partsEach > 1,
  };
}

function clamp(value: number, { first, end }: SegmentRange): number {
  return Math.min(end, Math.max(first, value));
}

/** Parts in the form that the kernel reads. */
class List {
  readonly parts: number[] = [];
  /** Whether any part is not the whole of its segment. */
  isSplit = false;
  readonly #chunk: Pixels;
  readonly #partSamples: number;

  constructor(chunk: Pixels, partSamples: number) {
    this.#chunk = chunk;
    this.#partSamples = partSamples;
  }

  /** Adds the pixels of a segment that lie in the chunk, as one part or more. */
  add(row: number, first: number, end: number): void {
    const { begin, end: last } = this.#chunk;
    const from = Math.min(last, Math.max(begin, first));
    const to = Math.max(from, Math.min(last, end));
    if (to - from < end - first || to - from > this.#partSamples) this.isSplit = true;
    let at = from;
    do {
      const pixels = Math.min(this.#partSamples, to - at);
      this.parts.push(row, at - begin, pixels);
      at += pixels;
    } while (at < to);
  }

  /** Adds one of several runs of a segment. */
  addRun(row: number, first: number, end: number): void {
    this.isSplit = true;
    const { begin, end: last } = this.#chunk;
    if (first < last && end > begin) this.add(row, first, end);
  }
}

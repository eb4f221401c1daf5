import type { Segments } from "./segments.ts";

// The order of segments: their pixels one segment after the other, each segment's in the order of the samples. Of `every`
// that is the samples' own order; tiles are taken one by one.

/** Pixels of a segment. */
export function segmentPixels(of: Segments, index: number): number {
  return pixelsBefore(of, index + 1) - pixelsBefore(of, index);
}

/** Pixels of the segments before this one; at `count`, of all. */
export function pixelsBefore(of: Segments, index: number): number {
  switch (of.kind) {
    case "every":
      return Math.min(index * of.every, of.pixels);
    case "offsets":
      return of.offsets[index]! - of.offsets[0]!;
    case "tiles": {
      const { width, height, columns, imageWidth, imageHeight } = of;
      if (of.count === 0) return 0;
      const row = Math.floor(index / columns);
      const top = Math.min(row * height, imageHeight);
      return top * imageWidth + (index % columns) * width * Math.min(height, imageHeight - top);
    }
  }
}

/** The segment that has the pixel with this number in the order of segments. */
export function segmentAt(of: Segments, pixel: number): number {
  switch (of.kind) {
    case "every":
      return Math.floor(pixel / of.every);
    case "offsets":
      return lastUpTo(of.offsets, of.count, of.offsets[0]! + pixel);
    case "tiles": {
      const { width, height, columns, imageWidth, imageHeight } = of;
      const row = Math.floor(pixel / (height * imageWidth));
      const top = row * height;
      const tileColumn = Math.floor(
        (pixel - top * imageWidth) / (width * Math.min(height, imageHeight - top)),
      );
      return row * columns + tileColumn;
    }
  }
}

/** Index of the last of the first `count` offsets that is at most `value`: of empty segments it is the one behind them. */
function lastUpTo(offsets: Float64Array, count: number, value: number): number {
  let low = 0;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (offsets[middle]! <= value) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The pixels [from, to) of the order of segments, as runs of pixels that follow one another in the order of the samples,
 * row by row: `each` is told where a run begins and how many it has.
 */
export function eachSegmentRun(
  of: Segments,
  from: number,
  to: number,
  each: (pixel: number, count: number) => void,
): void {
  if (from >= to) return;
  if (of.kind !== "tiles" || of.columns === 1) {
    each((of.kind === "offsets" ? of.offsets[0]! : 0) + from, to - from);
    return;
  }
  const { width, height, columns, imageWidth, imageHeight } = of;
  for (let at = from, tile = segmentAt(of, from); at < to; tile++) {
    const left = (tile % columns) * width;
    const top = Math.floor(tile / columns) * height;
    const across = Math.min(width, imageWidth - left);
    const pixels = across * Math.min(height, imageHeight - top);
    const first = pixelsBefore(of, tile);
    const end = Math.min(to, first + pixels);
    while (at < end) {
      const row = Math.floor((at - first) / across);
      const column = at - first - row * across;
      const count = Math.min(across - column, end - at);
      each((top + row) * imageWidth + left + column, count);
      at += count;
    }
  }
}

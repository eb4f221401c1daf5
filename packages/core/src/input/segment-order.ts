import type { Segments } from "./segments.ts";

// Segment order lists the pixels of one segment after another, with each segment's pixels in the order of the
// samples. For `every` this is the order of the samples. For tiles it goes tile by tile.

/** Returns the number of pixels of a segment. */
export function segmentPixels(of: Segments, index: number): number {
  return pixelsBefore(of, index + 1) - pixelsBefore(of, index);
}

/** Returns the number of pixels of the segments before this one; at `count`, of all segments. */
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

/** Returns the segment that holds the pixel with this number in segment order. */
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

/**
 * Index of the last of the first `count` offsets that is at most `value`. Among equal offsets it is the last, which
 * skips empty segments.
 */
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
 * Splits the pixels [from, to) of segment order into runs that are contiguous in the order of the samples, row by
 * row. `each` receives the first pixel and the length of a run, and the pixels of the runs before.
 */
export function eachSegmentRun(
  of: Segments,
  from: number,
  to: number,
  each: (pixel: number, count: number, done: number) => void,
): void {
  if (from >= to) return;
  if (of.kind !== "tiles" || of.columns === 1) {
    each((of.kind === "offsets" ? of.offsets[0]! : 0) + from, to - from, 0);
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
      each((top + row) * imageWidth + left + column, count, at - from);
      at += count;
    }
  }
}

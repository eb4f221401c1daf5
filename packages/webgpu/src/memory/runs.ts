/** Consecutive pixels of a picture: whole rows, or a part of one row. */
export interface Run {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Cuts `width` by `height` pixels into runs, in order. A run has at most `mostPixels` pixels and `mostRows` rows. */
export function* runsOf(
  { width, height }: Pick<Run, "width" | "height">,
  mostPixels: number,
  mostRows: number = height,
): Generator<Run> {
  if (width === 0) return;
  const rows = Math.max(1, Math.min(mostRows, Math.floor(mostPixels / width)));
  for (let y = 0; y < height; y += rows) {
    for (let x = 0; x < width; x += mostPixels) {
      yield { x, y, width: Math.min(mostPixels, width - x), height: Math.min(rows, height - y) };
    }
  }
}

import type { SegmentsInit } from "@polybin/core";

/** The rows of a result: one per group or segment. */
export interface Rows {
  readonly count: number;
  /** The row of a pixel; -1: none. */
  at(pixel: number): number;
}

/** Cuts the pixels of a picture into segments, without core's own code. Samples without a picture are one row of pixels. */
export function segmentsOf({ every, offsets, tiles }: SegmentsInit, width: number, height: number): Rows {
  if (every !== undefined) {
    return { count: Math.ceil((width * height) / every), at: (i) => Math.floor(i / every) };
  }
  if (tiles !== undefined) {
    const across = Math.ceil(width / tiles.width);
    const row = (i: number) => Math.floor(Math.floor(i / width) / tiles.height);
    const at = (i: number) => row(i) * across + Math.floor((i % width) / tiles.width);
    return { count: across * Math.ceil(height / tiles.height), at };
  }
  const all = Array.from(offsets!);
  const count = all.length - 1;
  const rows = new Int32Array(width * height).fill(-1);
  for (let k = 0; k < count; k++) rows.fill(k, all[k], all[k + 1]);
  return { count, at: (i) => rows[i]! };
}

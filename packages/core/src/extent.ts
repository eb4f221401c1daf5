import { runs, type Samples } from "./samples.ts";

/** The finite minimum and maximum of some samples; min > max (Infinity, -Infinity) where none is finite. */
export interface Extent {
  readonly min: number;
  readonly max: number;
}

export const NO_EXTENT: Extent = { min: Infinity, max: -Infinity };

/** The extent of both. */
export function joinExtents(a: Extent, b: Extent): Extent {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** The finite minimum and maximum over the given channels, on this thread. */
export function extentOf(of: Samples, channels: readonly number[]): Extent {
  let min = Infinity;
  let max = -Infinity;
  for (const run of runs(of, of.pixels)) {
    for (const channel of channels) {
      for (let i = channel; i < run.length; i += of.channels) {
        const value = run[i]!;
        if (value < min && value > -Infinity) min = value;
        if (value > max && value < Infinity) max = value;
      }
    }
  }
  return { min, max };
}

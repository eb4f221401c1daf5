import type { SampleArray } from "./sample-types.ts";
import { runs, type Samples } from "./samples.ts";

/** The finite minimum and maximum of samples. If no sample is finite, min > max (Infinity, -Infinity). */
export interface Extent {
  readonly min: number;
  readonly max: number;
}

export const NO_EXTENT: Extent = { min: Infinity, max: -Infinity };

/** Returns the extent of two extents together. */
export function joinExtents(a: Extent, b: Extent): Extent {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** Finds the finite minimum and maximum over the given channels, on this thread. */
export function extentOf(of: Samples, channels: readonly number[]): Extent {
  let extent = NO_EXTENT;
  for (const run of runs(of, of.pixels))
    extent = joinExtents(extent, extentOfRun(run, of.channels, channels));
  return extent;
}

/** Finds the extent of a run with `stride` interleaved channels, over the given channels. */
export function extentOfRun(run: SampleArray, stride: number, channels: readonly number[]): Extent {
  let min = Infinity;
  let max = -Infinity;
  for (const channel of channels) {
    for (let i = channel; i < run.length; i += stride) {
      const value = run[i]!;
      if (value < min && value > -Infinity) min = value;
      if (value > max && value < Infinity) max = value;
    }
  }
  return { min, max };
}

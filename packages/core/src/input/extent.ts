import type { SampleArray } from "./sample-types.ts";
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
  let extent = NO_EXTENT;
  for (const run of runs(of, of.pixels))
    extent = joinExtents(extent, extentOfRun(run, of.channels, channels));
  return extent;
}

/** The same of every `stride`-th sample of one run, from each channel on. */
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

import type { Extent } from "@polybin/core";
import { extentOf, joinExtents, NO_EXTENT, SAMPLE_TRAITS, samples } from "@polybin/core/backend";
import { readerOf } from "../input/index.ts";
import { eachStep } from "./steps.ts";
import type { ExtentTask } from "./task.ts";

/** Finds the finite minimum and maximum of the steps that this thread takes. */
export function extentOfSteps({ at, steps, type, channels: of }: ExtentTask, chunk: Uint8Array): Extent {
  const { pixelBytes } = at.source.geometry;
  const channels = pixelBytes / SAMPLE_TRAITS[type].bytes;
  const read = readerOf(at, chunk);
  let extent: Extent = NO_EXTENT;
  eachStep(steps, ({ first, end, at: from }) => {
    read(from, from + end - first);
    const data = chunk.subarray(0, (end - first) * pixelBytes);
    extent = joinExtents(extent, extentOf(samples({ data, type, channels }), of));
  });
  return extent;
}

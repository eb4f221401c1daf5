import type { Extent } from "@polybin/core";
import { extentOf, joinExtents, NO_EXTENT, samples } from "@polybin/core/backend";
import type { Wasm } from "../platform/index.ts";
import type { Answer, Task } from "../task/index.ts";
import { eachChunk } from "./reader.ts";

/** Finds the finite minimum and maximum of the chunks that this worker takes. */
export function extentChunks(task: Task, wasm: Wasm): Answer {
  const { type, interleaved, channels, source } = task;
  let extent: Extent = NO_EXTENT;
  eachChunk(task, wasm, (pixels) => {
    const data = new Uint8Array(wasm.memory.buffer, wasm.chunk, pixels * source.geometry.pixelBytes);
    extent = joinExtents(extent, extentOf(samples({ data, type, channels: interleaved }), channels));
  });
  return { kind: "extent", extent };
}

import { limits } from "@polybin/core/backend";
import type { Chunk, Data, Dispatch, Values } from "../../kernels/index.ts";
import type { ReadyChunk } from "../../memory/index.ts";
import type { Compiled, Context } from "../context.ts";
import { type ChannelsSteps, type CountStage, countsOf } from "../prepare/channels.ts";
import { type Command, placed } from "./commands.ts";

/** Returns the bytes of codes that are written for chunks of up to this number of pixels. 0: none are. */
export function codesBytes({ lower, codes }: ChannelsSteps, pixels: number): number {
  return lower === null ? 0 : Math.min(pixels, codes) * limits.WORD_BYTES;
}

/** Returns the dispatches that count a chunk. */
export function dispatchesOf(steps: ChannelsSteps, compiled: Compiled, chunk: Chunk): Dispatch[] {
  const { plan, channels, interleaved, lowering, reads, stages, own, lower, codes } = steps;
  const { data, pixels } = chunk;
  const dispatch = (of: CountStage, params: Values, from: Data) =>
    ({ ...of, pipeline: compiled.get(of.kernel)!, params, data: from }) satisfies Dispatch;
  // Kernels that find rows themselves count all channels at once.
  if (reads === "samples") {
    const count = pixels * interleaved;
    const params = { count, first: 0, cells: plan.cells, to: 0, ...lowering.params, ...own };
    return stages.map((stage) => dispatch(stage, params, data));
  }
  /** Counts the codes of a channel, one range of cells per pass. */
  const passes = (from: Data, count: number, channel: number): Dispatch[] =>
    Array.from({ length: plan.passes }, (_, i) => {
      const first = i * plan.cellsPerPass;
      const cells = Math.min(plan.cellsPerPass, plan.cells - first);
      const tables = plan.partials && { tables: plan.partials.tables };
      const params = { count, first, cells, to: channel * countsOf(plan) + first, ...tables, ...own };
      return stages.map((stage) => dispatch(stage, params, from));
    }).flat();
  if (lower === null) return passes(data, pixels, 0);
  // Others count channel by channel: a number of codes is written, and then counted.
  const all: Dispatch[] = [];
  for (let first = 0; first < pixels; first += codes) {
    const count = Math.min(codes, pixels - first);
    const write = { kernel: lower.kernel, scratch: "codes" as const, grid: lower.grid(count) };
    for (const [i, channel] of channels.entries()) {
      const to = i * countsOf(plan);
      const params = { ...lowering.params, count, first, channel, cells: plan.cells, to };
      all.push(dispatch(write, params, data), ...passes("codes", count, i));
    }
  }
  return all;
}

/** Returns the commands that count a chunk, in the buffers that calls share in turn. */
export function chunkCommands(
  { buffers }: Context,
  steps: ChannelsSteps,
  compiled: Compiled,
  chunk: Pick<ReadyChunk, "data" | "pixels" | "before" | "dense">,
  counts: GPUBuffer,
): Command[] {
  const { lookup, histogramsBytes } = steps;
  const scratch = (name: "codes" | "histograms", bytes: number) =>
    bytes === 0 ? null : buffers[name].of(bytes, bytes);
  return placed([...chunk.before, ...dispatchesOf(steps, compiled, chunk)], {
    nothing: buffers.nothing,
    lookup: buffers.lookups.of(lookup),
    counts: { buffer: counts },
    codes: scratch("codes", codesBytes(steps, chunk.pixels)),
    histograms: scratch("histograms", histogramsBytes),
    dense: chunk.dense,
  });
}

import type { ChannelsPart, RunOptions } from "@polybin/core/backend";
import type { ReadyChunk } from "../../memory/index.ts";
import type { Context } from "../context.ts";
import { chunkCommands } from "../dispatch/channels.ts";
import { type ChannelsSteps, countsOf } from "../prepare/channels.ts";
import { Chain } from "./chain.ts";
import { inOrder } from "./in-order.ts";

/** Counts the chunks of an input as prepared. Samples are uploaded while kernels compile. */
export async function countChannels(
  context: Context,
  steps: ChannelsSteps,
  chunks: AsyncIterable<ReadyChunk>,
  options: RunOptions,
): Promise<ChannelsPart> {
  options.signal?.throwIfAborted();
  const compiling = context.compiled(steps);
  const chain = new Chain(context, steps.channels.length * countsOf(steps.plan), options.timed);
  await inOrder(context.hardware, chunks, options, async (chunk) => {
    const compiled = await compiling;
    await chain.count(chunk.pixels, chunk.last, (counts) =>
      chunkCommands(context, steps, compiled, chunk, counts),
    );
  });
  await chain.read();
  return channelsPart(steps, chain.totals, 0, chain.kernelMs);
}

/** Returns the counts of each channel, from a call's first count on. */
export function channelsPart(
  { channels, plan }: ChannelsSteps,
  counts: Float64Array,
  first = 0,
  kernelMs = 0,
): ChannelsPart {
  const size = countsOf(plan);
  return {
    channels: channels.map((_, i) => {
      const at = first + i * size;
      return {
        cells: counts.subarray(at, at + plan.cells),
        flow: counts.subarray(at + plan.cells, at + size),
      };
    }),
    timings: { readMs: 0, uploadMs: 0, kernelMs },
  };
}

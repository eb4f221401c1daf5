import type { ChannelsPart, RunOptions } from "@polybin/core/backend";
import type { ReadyChunk } from "../memory/index.ts";
import { type Hardware, own } from "../platform/index.ts";
import { bindChunk, Chain } from "./chain.ts";
import type { Context } from "./context.ts";
import { encode } from "./encode.ts";
import { type CountSteps, countsOf } from "./prepare-count.ts";
import type { Program } from "./program.ts";
import { partialOf } from "./resident-calls.ts";

/** Counts the chunks of an input as prepared. Samples are uploaded while kernels compile. */
export async function count(
  context: Context,
  steps: CountSteps,
  compiling: Promise<Program>,
  chunks: AsyncIterable<ReadyChunk>,
  options: RunOptions,
): Promise<ChannelsPart> {
  options.signal?.throwIfAborted();
  const chain = new Chain(context, steps.channels.length * countsOf(steps.plan), options.timed === true);
  await inOrder(context.hardware, chunks, options, async (chunk) => {
    const program = await compiling;
    await chain.count(chunk.pixels, chunk.last, (pass, counts) => {
      encode(pass, bindChunk(context, steps, program, chunk, counts));
    });
  });
  await chain.read();
  return {
    channels: partialOf(steps, chain.totals, 0).channels,
    timings: { readMs: 0, uploadMs: 0, kernelMs: chain.kernelMs },
  };
}

/** Submits parts of an input one after another, at most a few ahead of the device, and reports progress. */
export async function inOrder<Part extends { readonly pixels: number; readonly last: boolean }>(
  hardware: Hardware,
  parts: AsyncIterable<Part>,
  { signal, onProgress }: RunOptions,
  submit: (part: Part) => Promise<void>,
): Promise<void> {
  const queued: Promise<void>[] = [];
  let done = 0;
  let isOver = false;
  try {
    for await (const part of parts) {
      signal?.throwIfAborted();
      await submit(part);
      if (part.last) break;
      const finished = hardware.watched(hardware.device.queue.onSubmittedWorkDone());
      queued.push(
        finished.then(() => {
          done += part.pixels;
          if (!isOver) onProgress?.(done);
        }),
      );
      queued.at(-1)!.catch(() => {});
      if (queued.length >= own.PIECES) await queued.shift();
      signal?.throwIfAborted();
    }
    await Promise.all(queued);
  } finally {
    // Work that was submitted before an abort ends later and must not report progress.
    isOver = true;
  }
}

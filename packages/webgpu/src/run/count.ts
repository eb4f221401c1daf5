import type { Partial, RunOptions } from "@polybin/core/backend";
import type { ReadyChunk } from "../memory/index.ts";
import { own } from "../platform/index.ts";
import { Chain } from "./chain.ts";
import type { Context } from "./context.ts";
import type { CountSteps } from "./prepare-count.ts";
import type { Program } from "./program.ts";
import { partialOf } from "./resident-calls.ts";

/** Counts the chunks of an input as prepared. Samples are uploaded while kernels compile. */
export async function count(
  context: Context,
  steps: CountSteps,
  compiling: Promise<Program>,
  chunks: AsyncIterable<ReadyChunk>,
  { signal, onProgress, timed = false }: RunOptions,
): Promise<Partial> {
  const { hardware } = context;
  signal?.throwIfAborted();
  const chain = new Chain(context, steps, compiling, timed);
  const queued: Promise<void>[] = [];
  let done = 0;
  let isOver = false;
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      await chain.count(chunk);
      if (chunk.last) break;
      const finished = hardware.watched(hardware.device.queue.onSubmittedWorkDone());
      queued.push(
        finished.then(() => {
          done += chunk.pixels;
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
  await chain.read();
  return {
    channels: partialOf(steps, chain.totals, 0).channels,
    timings: { readMs: 0, uploadMs: 0, kernelMs: chain.kernelMs },
  };
}

import type { Input, Partial, RunOptions } from "@polybin/core/backend";
import { own } from "../platform/index.ts";
import { Chain } from "./chain.ts";
import type { Context } from "./context.ts";
import { type CountSteps, countsOf } from "./prepare-count.ts";
import type { Program } from "./program.ts";

/** Counts an input as prepared. Samples are on their way while kernels are compiled. */
export async function count(
  { hardware, buffers, source }: Context,
  steps: CountSteps,
  compiling: Promise<Program>,
  input: Input,
  { signal, onProgress }: RunOptions,
): Promise<Partial> {
  signal?.throwIfAborted();
  const { plan, channels } = steps;
  const chain = new Chain(hardware, buffers, steps, compiling);
  const queued: Promise<void>[] = [];
  let done = 0;
  let isOver = false;
  try {
    for await (const chunk of source.chunks(input, signal)) {
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
    // What was submitted before an abort ends later, and nobody is to hear of it.
    isOver = true;
  }
  await chain.read();
  const size = countsOf(plan);
  return {
    channels: channels.map((_, i) => ({
      cells: chain.totals.subarray(i * size, i * size + plan.cells),
      flow: chain.totals.subarray(i * size + plan.cells, (i + 1) * size),
    })),
    timings: { readMs: 0, uploadMs: 0, kernelMs: chain.kernelMs },
  };
}

import type { RunOptions } from "@polybin/core/backend";
import { type Hardware, own } from "../../platform/index.ts";

/** Submits parts of an input one after another, at most a few ahead of the device, and reports progress. */
export async function inOrder<Part extends { readonly pixels: number; readonly last: boolean }>(
  hardware: Hardware,
  parts: AsyncIterable<Part> | Iterable<Part>,
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

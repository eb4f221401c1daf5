import { type FrameCounter, type FrameCounts, frameOf, hasFrames } from "./counter.ts";
import type { FromFrameWorker } from "./frame-worker.ts";

/** Counts frames on one Web Worker, which receives each frame without a copy. */
export function counterOnWorker(): FrameCounter {
  const worker = new Worker(new URL("./frame-worker.ts", import.meta.url), { type: "module" });
  return {
    device: "one Web Worker",
    async count(video) {
      const frame = hasFrames() ? frameOf(video) : await createImageBitmap(video);
      return new Promise<FrameCounts>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<FromFrameWorker>) => {
          if ("error" in data) reject(new Error(data.error));
          else resolve(data.counts);
        };
        worker.onerror = ({ message }) => reject(new Error(message || "the worker could not be started"));
        worker.postMessage(frame, [frame]);
      });
    },
    close: () => worker.terminate(),
  };
}

import { startWorker } from "../start-worker.ts";
import type { FrameCounter, FrameCounts } from "./counter.ts";
import type { FromFrameWorker } from "./counting.ts";

/** Counts frames on one Web Worker, which receives each frame without a copy. */
export function counterOnWorker(): FrameCounter {
  const worker = startWorker("camera");
  return {
    device: "one Web Worker",
    count: (frame) =>
      new Promise<FrameCounts>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<FromFrameWorker>) => {
          if ("error" in data) reject(new Error(data.error));
          else resolve(data.counts);
        };
        worker.onerror = ({ message }) => reject(new Error(message || "the worker could not be started"));
        worker.postMessage(frame, [frame]);
      }),
    close: () => worker.terminate(),
  };
}

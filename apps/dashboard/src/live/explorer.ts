import type { FromWorker, ToWorker } from "./count-worker.ts";
import type { Exploration, JointAnswer, Tone } from "./explore.ts";
import type { Pixels } from "./pixels.ts";

/** Started with this module and kept. Its script comes from the server, which may have ended when a picture arrives. */
let worker: Worker | null = started();
let last: Promise<unknown> = Promise.resolve();
let current: Pixels | null = null;

/** Starts a worker. If it fails, the next request starts another. */
function started(): Worker {
  const mine = new Worker(new URL("./count-worker.ts", import.meta.url), { type: "module" });
  mine.addEventListener(
    "error",
    () => {
      current = null;
      worker = null;
    },
    { once: true },
  );
  return mine;
}

/** The pixels of a picture with other tones. */
export async function toned(pixels: Pixels, tone: Tone): Promise<Uint8ClampedArray<ArrayBuffer>> {
  const answer = await ask(pixels, { tone });
  return (answer as { readonly pixels: Uint8ClampedArray<ArrayBuffer> }).pixels;
}

/** The counts of two channels of a picture together. */
export async function jointOf(pixels: Pixels, channels: readonly [number, number]): Promise<JointAnswer> {
  return (await ask(pixels, { joint: channels })) as JointAnswer;
}

/** One request at a time, so that an answer belongs to it. The worker keeps the picture of the last one. */
function ask(pixels: Pixels, request: Exploration): Promise<FromWorker> {
  const mine = last.then(() => {
    worker ??= started();
    if (current !== pixels) {
      const data = pixels.data.slice();
      worker.postMessage({ pixels: data, width: pixels.width } satisfies ToWorker, [data.buffer]);
      current = pixels;
    }
    return answered(worker, request);
  });
  last = mine.catch(() => {});
  return mine;
}

function answered(worker: Worker, request: Exploration): Promise<FromWorker> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ("error" in data) reject(new Error(data.error));
      else resolve(data);
    };
    worker.onerror = ({ message }) => reject(new Error(message || "the worker could not be started"));
    worker.postMessage(request satisfies ToWorker);
  });
}

import type { DrawnSample } from "../samples/drawing.ts";
import { asked, give, startedWorker } from "./ask.ts";
import type { FromWorker, Request } from "./counting.ts";
import type { JointAnswer, Tone } from "./explore.ts";
import type { Marked, Measured } from "./measure.ts";
import type { Pixels, Region } from "./pixels.ts";

/** Started with this module and kept. Its script comes from the server, which may have ended when a picture arrives. */
let worker: Worker | null = started();
let last: Promise<unknown> = Promise.resolve();
let current: Pixels | null = null;

/** Starts a worker. If it fails, the next request starts another. */
function started(): Worker {
  return startedWorker(() => {
    current = null;
    worker = null;
  });
}

/** Draws the sample picture. */
export const drawSample = (): Promise<DrawnSample> =>
  inTurn(() => {
    worker ??= started();
    return asked<DrawnSample>(worker, "sample");
  });

/** The histograms of a picture or of a region of it. */
export const measuredPart = (pixels: Pixels, region: Region | null): Promise<Measured> =>
  ask(pixels, { measure: region });

/** The picture of the clipped pixels. */
export const marksOf = async (pixels: Pixels, mark: Marked): Promise<ImageData> =>
  (await ask<{ readonly marks: ImageData }>(pixels, { mark })).marks;

/** The pixels of a picture with other tones. */
export const toned = async (pixels: Pixels, tone: Tone): Promise<Uint8ClampedArray<ArrayBuffer>> =>
  (await ask<{ readonly pixels: Uint8ClampedArray<ArrayBuffer> }>(pixels, { tone })).pixels;

/** The counts of two channels of a picture together. */
export const jointOf = (pixels: Pixels, channels: readonly [number, number]): Promise<JointAnswer> =>
  ask(pixels, { joint: channels });

/** Asks about a picture. The worker keeps that of the last request. */
const ask = <T extends FromWorker>(pixels: Pixels, request: Request): Promise<T> =>
  inTurn(() => {
    worker ??= started();
    if (current !== pixels) {
      const { width, height, channels, data } = pixels;
      give(worker, { width, height, channels, data: data.slice() });
      current = pixels;
    }
    return asked<T>(worker, request);
  });

/** One request at a time, so that an answer belongs to it. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => {});
  return mine;
}

import { type Engine, openEngine } from "@polybin/core";
import { greyOf } from "@polybin/pictures/grey";
import type { Frame } from "./counter.ts";

export type FromFrameWorker = { readonly counts: readonly Float64Array[] } | { readonly error: string };

const CHANNELS = 4;

let opening: Promise<Engine> | null = null;
let buffer = new Uint8Array();
let canvas: OffscreenCanvas | null = null;

/** The red, green, blue and alpha of a frame. */
async function pixelsOf(frame: Frame): Promise<Uint8Array> {
  const isFrame = "copyTo" in frame;
  const width = isFrame ? frame.displayWidth : frame.width;
  const height = isFrame ? frame.displayHeight : frame.height;
  const bytes = width * height * CHANNELS;
  if (isFrame) {
    try {
      if (buffer.length !== bytes) buffer = new Uint8Array(bytes);
      await frame.copyTo(buffer, { format: "RGBA", colorSpace: "srgb" });
      return buffer;
    } catch {
      // This browser converts no colours while it copies. A canvas does.
    }
  }
  if (canvas?.width !== width || canvas.height !== height) canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.drawImage(frame, 0, 0, width, height);
  return new Uint8Array(context.getImageData(0, 0, width, height).data.buffer);
}

/** Counts red, green, blue and luma in one call: the luma takes the place of alpha, which a camera does not have. */
async function counted(frame: Frame): Promise<FromFrameWorker> {
  opening ??= openEngine();
  const engine = await opening;
  const pixels = await pixelsOf(frame);
  const luma = greyOf(pixels, CHANNELS);
  for (let pixel = 0, at = 3; pixel < luma.length; pixel++, at += CHANNELS) pixels[at] = luma[pixel]!;
  const found = await engine.histograms({ data: pixels, channels: CHANNELS });
  return { counts: found.map(({ counts }) => counts) };
}

export async function handle(frame: Frame): Promise<void> {
  try {
    postMessage(await counted(frame));
  } finally {
    frame.close();
  }
}

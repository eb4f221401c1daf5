import { pictureFormat } from "@polybin/pictures/formats";
import { type PictureSize, pictureSize, pngEnd, SIZE_BYTES } from "@polybin/pictures/size";
import { startWorker } from "../start-worker.ts";
import type { FromDecoder, ToDecoder } from "./decoding.ts";
import { drawSample } from "./explorer.ts";
import type { Pixels } from "./pixels.ts";

/** The most pixels that the page and the server (server/picture-job.ts) accept. */
const MOST_PIXELS: number = 2 ** 25;
/** The most pixels that `polybin hist` accepts. */
const COMMAND_PIXELS: number = 2 ** 29;
/** The most bytes of a file that the page reads into memory. */
const MOST_BYTES: number = 2 ** 30;

const number = (value: number): string => value.toLocaleString("en");

/**
 * Decodes a picture at its own depth, without colour management. A picture that is too large is refused by its header,
 * before anything is decoded. PNG and TIFF with 16 bits or alpha go through a worker's own decoders. The browser decodes
 * the others, to 8 bits.
 */
export async function readPicture(blob: Blob, name: string): Promise<Pixels> {
  const head = await bytesOf(blob.slice(0, SIZE_BYTES));
  const format = pictureFormat(head)?.name ?? null;
  const isTiff = format?.endsWith("TIFF") === true;
  if (blob.size > MOST_BYTES) {
    throw new Error(`expected at most ${number(MOST_BYTES)} bytes but it has ${number(blob.size)}`);
  }
  const size = pictureSize(isTiff ? await bytesOf(blob) : head);
  if (size !== null) checkSize(size);
  if (isTiff || (format === "PNG" && size !== null && (size.bits === 16 || size.alpha))) {
    return byWorker(blob, name);
  }
  if (format === "PNG") await checkEnd(blob);
  return byBrowser(blob, name, size);
}

const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

function checkSize({ width, height }: Pick<PictureSize, "width" | "height">): void {
  if (width > 0 && height > 0 && width * height <= MOST_PIXELS) return;
  const helps = width * height > MOST_PIXELS && width * height <= COMMAND_PIXELS;
  const advice = helps ? `; polybin hist takes up to ${number(COMMAND_PIXELS)}` : "";
  throw new Error(
    `expected 1 to ${number(MOST_PIXELS)} pixels but its header states ${number(width)} x ${number(height)}${advice}`,
  );
}

/** The browser's own message does not say where a PNG ends. */
async function checkEnd(blob: Blob): Promise<void> {
  const problem = pngEnd(await bytesOf(blob));
  if (problem !== null) throw new Error(`expected a whole PNG picture but ${problem}`);
}

/** The sample picture, which a worker of the page draws. */
export async function sampleOf(name: string): Promise<Pixels> {
  const { width, height, data } = await drawSample();
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const shown = new ImageData(new Uint8ClampedArray(data.buffer), width, height);
  canvas.getContext("2d", { willReadFrequently: true })!.putImageData(shown, 0, 0);
  return { name, width, height, channels: 4, names: ["r", "g", "b", "a"], data, canvas, isRounded: false };
}

function byWorker(blob: Blob, name: string): Promise<Pixels> {
  const worker = startWorker("decode");
  return new Promise<Pixels>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromDecoder>) => {
      if ("error" in data) return reject(new Error(data.error));
      const { preview, ...samples } = data;
      const canvas = canvasOf(preview);
      resolve({ ...samples, name, canvas, isRounded: false });
    };
    worker.onerror = ({ message }) => reject(new Error(message || "the decoder could not be started"));
    worker.postMessage({ blob } satisfies ToDecoder);
  }).finally(() => worker.terminate());
}

async function byBrowser(blob: Blob, name: string, size: PictureSize | null): Promise<Pixels> {
  const bitmap = await (blob.type === "image/svg+xml" ? drawn(blob) : decoded(blob)).catch((cause: Error) => {
    throw new Error(`the browser cannot decode it: ${cause.message}`, { cause });
  });
  const { width, height } = bitmap;
  try {
    checkSize(bitmap);
    const canvas = canvasOf(bitmap);
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, width, height);
    const colours = new Uint8Array(data.buffer as ArrayBuffer);
    const isGrey = size?.grey === true && !size.alpha;
    return {
      name,
      width,
      height,
      // A canvas has grey three times.
      channels: isGrey ? 1 : 4,
      names: isGrey ? ["grey"] : ["r", "g", "b", "a"],
      data: isGrey ? Uint8Array.from({ length: width * height }, (_, i) => colours[4 * i]!) : colours,
      canvas,
      isRounded: size === null || size.alpha,
    };
  } finally {
    bitmap.close();
  }
}

function canvasOf(bitmap: ImageBitmap): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: bitmap.width, height: bitmap.height });
  canvas.getContext("2d", { willReadFrequently: true })!.drawImage(bitmap, 0, 0);
  return canvas;
}

const decoded = (blob: Blob): Promise<ImageBitmap> =>
  createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });

/** Only an image element can draw vector pictures. */
async function drawn(blob: Blob): Promise<ImageBitmap> {
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  try {
    await image.decode();
    return await createImageBitmap(image);
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

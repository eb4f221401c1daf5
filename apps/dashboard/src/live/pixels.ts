/** A decoded picture: red, green, blue and alpha of one pixel after the other. */
export interface Pixels {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  /** What is shown of it. */
  readonly canvas: HTMLCanvasElement;
}

/** More than this many are refused, here and by the server (apps/cli/src/dashboard/picture-job.ts). */
const MOST_PIXELS: number = 2 ** 25;

/**
 * The pixels as the file stores them, not colour-managed. A 2D canvas multiplies colours by alpha and divides again: of
 * a translucent pixel they may differ by rounding, of one whose alpha is 0 they are 0. A vector picture has the size
 * that it says.
 */
export async function pixelsOf(blob: Blob, name: string): Promise<Pixels> {
  const bitmap = await (blob.type === "image/svg+xml" ? drawn(blob) : decoded(blob));
  const { width, height } = bitmap;
  if (width * height > MOST_PIXELS) {
    bitmap.close();
    throw new Error(
      `expected at most ${MOST_PIXELS.toLocaleString("en")} pixels but received ${width} x ${height}`,
    );
  }
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  return { name, width, height, data: data as Uint8ClampedArray<ArrayBuffer>, canvas };
}

const decoded = (blob: Blob): Promise<ImageBitmap> =>
  createImageBitmap(blob, { colorSpaceConversion: "none", premultiplyAlpha: "none" });

/** Vector pictures are drawn by an image element alone. */
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

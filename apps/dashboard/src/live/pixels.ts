/** A decoded picture: red, green, blue and alpha of each pixel. */
export interface Pixels {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  /** The canvas that shows it. */
  readonly canvas: HTMLCanvasElement;
}

/** The most pixels that the page and the server (server/picture-job.ts) accept. */
const MOST_PIXELS: number = 2 ** 25;

/**
 * Decodes a picture to the pixels that the file stores, without colour management. A 2D canvas multiplies colours by
 * alpha and divides again. Colours of translucent pixels may therefore differ by rounding, and those with alpha 0 are 0.
 * A vector picture has the size that it declares.
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

import { decodeInPage } from "@polybin/pictures/page";
import type { Samples } from "./pixels.ts";

export interface ToDecoder {
  readonly blob: Blob;
}

/** The decoded picture with a preview of 8 bits, or an error. */
export type FromDecoder =
  | (Samples & { readonly names: readonly string[]; readonly preview: ImageBitmap })
  | { readonly error: string };

/** Decodes one PNG or TIFF. The page then ends this worker, and so frees the memory of the decoder. */
export async function handle({ blob }: ToDecoder): Promise<void> {
  const picture = decodeInPage(new Uint8Array(await blob.arrayBuffer()), "it");
  const { width, height, channels, names } = picture;
  const samples = picture.data as Samples["data"];
  const preview = await createImageBitmap(shown({ width, height, channels, data: samples }));
  const answer: FromDecoder = { width, height, channels, names, data: samples, preview };
  postMessage(answer, { transfer: [samples.buffer, preview] });
}

/** The picture as a screen shows it: red, green, blue and alpha of 8 bits. */
function shown({ width, height, channels, data }: Samples): ImageData {
  const image = new ImageData(width, height);
  const shift = data instanceof Uint16Array ? 8 : 0;
  const isGrey = channels < 3;
  const hasAlpha = channels % 2 === 0;
  for (let from = 0, to = 0; from < data.length; from += channels, to += 4) {
    for (let colour = 0; colour < 3; colour++) {
      image.data[to + colour] = data[from + (isGrey ? 0 : colour)]! >> shift;
    }
    image.data[to + 3] = hasAlpha ? data[from + channels - 1]! >> shift : 255;
  }
  return image;
}

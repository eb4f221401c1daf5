import { PolybinError } from "@polybin/core";
import type { Picture } from "@polybin/pictures";
import sharp from "sharp";
import { type Chunk, chunksOf, isPng, metadataChunks, pngOf, survivesChanges } from "./png-chunks.ts";

/** The chunks without which a PNG has no pixels. sharp's others describe nothing of the source. */
const PIXELS = new Set(["IHDR", "IDAT", "IEND"]);

/**
 * Encodes samples as a PNG of the picture's size, channels and depth, with the metadata of the picture's file.
 * @param data the new samples of the picture.
 * @param file the bytes of the file that the picture was decoded from.
 * @throws ERR_UNSUPPORTED for ink channels, which PNG does not have.
 */
export async function toPng(
  { width, height, channels, names }: Picture,
  data: Uint8Array | Uint16Array,
  file: Uint8Array,
): Promise<Uint8Array> {
  if (names[0] === "c") {
    throw new PolybinError("ERR_UNSUPPORTED", "expected grey or r, g, b for a PNG but received c, m, y, k");
  }
  const deep = data instanceof Uint16Array;
  const isGrey = names[0] === "grey";
  const space = isGrey ? (deep ? "grey16" : "b-w") : deep ? "rgb16" : "srgb";
  const raw = { width, height, channels: channels as 1 | 2 | 3 | 4 };
  const encoded = await sharp(data, { raw })
    .toColourspace(space)
    .png({ compressionLevel: 9, adaptiveFiltering: true })
    .toBuffer();
  const [header, ...rest] = chunksOf(encoded).filter(({ type }) => PIXELS.has(type));
  return pngOf([header!, ...(await metadataOf(file)), ...rest]);
}

/** The metadata of a picture's file as chunks of a PNG. */
async function metadataOf(file: Uint8Array): Promise<readonly Chunk[]> {
  if (isPng(file)) return chunksOf(file).filter(survivesChanges);
  return metadataChunks(await sharp(file).metadata());
}

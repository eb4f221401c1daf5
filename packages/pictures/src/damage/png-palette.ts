import { crc32 } from "node:zlib";
import { Damage, loadSharp, MOST_PIXELS, open } from "../decoder.ts";
import type { Chunk } from "./png-chunks.ts";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const NAME_BYTES = 4;
const COLOUR_BYTES = 3;
/** The places of a sample's bits and of its meaning in a PNG's first chunk. */
const DEPTH = 8;
const COLOUR_TYPE = 9;
const GREY = 0;
const PALETTE = 3;

/**
 * Describes the use of colours that a PNG's palette does not have, or returns null. Decoders show them black.
 * @param chunks all of its chunks in order, with correct checksums
 */
export async function paletteDamage(chunks: readonly Chunk[]): Promise<string | null> {
  const header = chunks[0]!.data;
  const palette = chunks.find(({ name }) => name === "PLTE");
  const largest = 2 ** header[DEPTH]! - 1;
  if (header[COLOUR_TYPE] !== PALETTE || palette === undefined) return null;
  const colours = palette.data.length / COLOUR_BYTES;
  if (colours > largest) return null;
  const levels = await greyLevels(chunks);
  if (levels === null) return null;
  let brightest = 0;
  for (const level of levels) if (level > brightest) brightest = level;
  // Decoders scale the levels of fewer bits to those of 8.
  const used = (brightest * largest) / 255;
  if (used < colours) return null;
  return `its palette has ${colours} colours but it uses number ${used}, counted from 0`;
}

/**
 * Decodes the same pixels with their palette numbers as levels of grey. Returns null if the decoder finds damage,
 * because it reports that itself.
 */
async function greyLevels(chunks: readonly Chunk[]): Promise<Uint8Array | Uint16Array | null> {
  const header = Buffer.from(chunks[0]!.all);
  header[2 * NAME_BYTES + COLOUR_TYPE] = GREY;
  header.writeUInt32BE(crc32(header.subarray(NAME_BYTES, -4)), header.length - 4);
  const pixels = chunks.filter(({ name }) => name === "IDAT" || name === "IEND").map(({ all }) => all);
  const grey = Buffer.concat([SIGNATURE, header, ...pixels]);
  try {
    // The decoder has already accepted the size.
    const subject = { format: { name: "PNG", decodable: true }, name: "it", maxPixels: MOST_PIXELS };
    const opened = await open(await loadSharp(), grey, subject, "none");
    return (await opened.run()).data;
  } catch (error) {
    if (error instanceof Damage) return null;
    throw error;
  }
}

import { crc32 } from "node:zlib";
import { CHECKSUM_BYTES, chunksOf, orderDamage } from "./png-chunks.ts";
import { paletteDamage } from "./png-palette.ts";

/**
 * Describes what is missing or damaged in a PNG, or returns null if it is whole. Decoders stop when they have the last
 * row of pixels. They do not notice if the file ends after it, a checksum is wrong, a chunk is at a wrong place, or a
 * pixel has a number that the palette lacks.
 */
export async function pngDamage(bytes: Uint8Array): Promise<string | null> {
  const chunks = chunksOf(bytes);
  if (typeof chunks === "string") return chunks;
  for (const { name, all } of chunks) {
    const stated = new DataView(all.buffer, all.byteOffset).getUint32(all.length - CHECKSUM_BYTES);
    if (crc32(all.subarray(4, -CHECKSUM_BYTES)) !== stated) {
      return `the checksum of its chunk ${JSON.stringify(name)} does not match`;
    }
  }
  return orderDamage(chunks) ?? paletteDamage(chunks);
}

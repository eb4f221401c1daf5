import { crc32 } from "node:zlib";
import { pngEnd } from "./png-end.ts";
import { type Chunk, paletteDamage } from "./png-palette.ts";

const SIGNATURE_BYTES = 8;
/** Length, name and checksum. */
const FRAME_BYTES = 12;
const CHECKSUM_BYTES = 4;

/**
 * Describes what is missing or damaged in a PNG, or returns null if it is whole. Decoders stop when they have the last
 * row of pixels. They do not notice if the file ends after it, a checksum is wrong, or a pixel has a number that the
 * palette lacks.
 */
export async function pngDamage(bytes: Uint8Array): Promise<string | null> {
  const early = pngEnd(bytes);
  if (early !== null) return early;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE_BYTES; ; ) {
    const length = view.getUint32(at);
    const end = at + FRAME_BYTES + length;
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (crc32(bytes.subarray(at + 4, end - CHECKSUM_BYTES)) !== view.getUint32(end - CHECKSUM_BYTES)) {
      return `the checksum of its chunk ${JSON.stringify(name)} does not match`;
    }
    chunks.push({ name, all: bytes.subarray(at, end), data: bytes.subarray(at + 8, end - CHECKSUM_BYTES) });
    if (name === "IEND") return paletteDamage(chunks);
    at = end;
  }
}

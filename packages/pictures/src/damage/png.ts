import { crc32 } from "node:zlib";
import { type Chunk, paletteDamage } from "./png-palette.ts";

const SIGNATURE_BYTES = 8;
/** Length, name and checksum. */
const FRAME_BYTES = 12;
const CHECKSUM_BYTES = 4;

/**
 * What is missing or damaged in a PNG, in words; null for a whole one. Decoders are content when the last row
 * of pixels has come: a file cut off behind it, or a checksum that does not match, or a number that its palette has not, passes unseen there.
 */
export async function pngDamage(bytes: Uint8Array): Promise<string | null> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE_BYTES; ; ) {
    if (at + FRAME_BYTES > bytes.length) return "it ends before its last chunk, IEND";
    const length = view.getUint32(at);
    const end = at + FRAME_BYTES + length;
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (end > bytes.length) return `it ends within a chunk of ${length} bytes, ${JSON.stringify(name)}`;
    if (crc32(bytes.subarray(at + 4, end - CHECKSUM_BYTES)) !== view.getUint32(end - CHECKSUM_BYTES)) {
      return `the checksum of its chunk ${JSON.stringify(name)} does not match`;
    }
    chunks.push({ name, all: bytes.subarray(at, end), data: bytes.subarray(at + 8, end - CHECKSUM_BYTES) });
    if (name === "IEND") return paletteDamage(chunks);
    at = end;
  }
}

const HEADER_BYTES = 12;
/** Name and length. */
const FRAME_BYTES = 8;

/**
 * What is missing of a WebP's container, in words; null for a whole one. Decoders are content when the first frame's
 * data have come. Bytes behind the container are not its own.
 */
export function webpDamage(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES) return "it ends within its first chunk";
  const end = FRAME_BYTES + view.getUint32(4, true);
  if (end > bytes.length) return `it says that it has ${end} bytes, and has ${bytes.length}`;
  for (let at = HEADER_BYTES; at < end; ) {
    const length = at + FRAME_BYTES > end ? FRAME_BYTES : view.getUint32(at + 4, true);
    if (at + FRAME_BYTES + length > end) return "its last chunk is longer than what is left of it";
    // Chunks begin at even places.
    at += FRAME_BYTES + length + (length & 1);
  }
  return null;
}

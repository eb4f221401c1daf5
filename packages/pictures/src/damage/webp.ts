const HEADER_BYTES = 12;
/** Name and length. */
const FRAME_BYTES = 8;

/**
 * Describes what is missing in a WebP's container, or returns null if it is whole. Decoders stop when they have the
 * first frame's data. Bytes after the container do not belong to it.
 */
export function webpDamage(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES) return "it ends within its first chunk";
  const end = FRAME_BYTES + view.getUint32(4, true);
  if (end > bytes.length) return `its header gives ${end} bytes but it has ${bytes.length}`;
  for (let at = HEADER_BYTES; at < end; ) {
    const length = at + FRAME_BYTES > end ? FRAME_BYTES : view.getUint32(at + 4, true);
    if (at + FRAME_BYTES + length > end) return "its last chunk is longer than the rest of the file";
    // Chunks begin at even places.
    at += FRAME_BYTES + length + (length & 1);
  }
  return null;
}

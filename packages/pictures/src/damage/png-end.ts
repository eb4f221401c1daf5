const SIGNATURE_BYTES = 8;
/** Length, name and checksum of a chunk. */
const FRAME_BYTES = 12;

/** Describes where a PNG ends too early, or returns null if it has its last chunk. It reads no checksum. */
export function pngEnd(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = SIGNATURE_BYTES; ; ) {
    if (at + FRAME_BYTES > bytes.length) return "it ends before its last chunk, IEND";
    const length = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    at += FRAME_BYTES + length;
    if (at > bytes.length) return `it ends within a chunk of ${length} bytes, ${JSON.stringify(name)}`;
    if (name === "IEND") return null;
  }
}

/** A chunk of a PNG. */
export interface Chunk {
  readonly name: string;
  /** The place of its first byte. */
  readonly at: number;
  /** Length, name, data and checksum. */
  readonly all: Uint8Array;
  readonly data: Uint8Array;
}

export const SIGNATURE_BYTES = 8;
export const CHECKSUM_BYTES = 4;
/** Length, name and checksum of a chunk. */
const FRAME_BYTES = 12;

/** Chunks that define how pixels are stored. All others describe the picture: profiles, dates, texts, animations. */
export const PIXEL_CHUNKS: ReadonlySet<string> = new Set(["IHDR", "PLTE", "IDAT", "tRNS", "IEND"]);

/** Returns all chunks of a PNG, or a sentence on where it ends before its last one. It reads no checksum. */
export function chunksOf(bytes: Uint8Array): readonly Chunk[] | string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE_BYTES; ; ) {
    if (at + FRAME_BYTES > bytes.length) return "it ends before its last chunk, IEND";
    const length = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + FRAME_BYTES + length;
    if (end > bytes.length) return `it ends within a chunk of ${length} bytes, ${JSON.stringify(name)}`;
    chunks.push({
      name,
      at,
      all: bytes.subarray(at, end),
      data: bytes.subarray(at + 8, end - CHECKSUM_BYTES),
    });
    if (name === "IEND") return chunks;
    at = end;
  }
}

/** Describes where a PNG ends too early, or returns null if it has its last chunk. */
export function pngEnd(bytes: Uint8Array): string | null {
  const chunks = chunksOf(bytes);
  return typeof chunks === "string" ? chunks : null;
}

/**
 * Describes a chunk at a place where it must not be, or returns null. Decoders read the chunks up to the last pixel and
 * then stop, and some take the last header that they meet.
 */
export function orderDamage(chunks: readonly Chunk[]): string | null {
  const first = chunks[0]!;
  if (first.name !== "IHDR") return `its first chunk is ${JSON.stringify(first.name)} instead of "IHDR"`;
  const seen = new Set<string>();
  for (const [i, { name, at }] of chunks.entries()) {
    const where = `its chunk ${JSON.stringify(name)} at byte ${at}`;
    if (name === "IDAT") {
      const before = chunks[i - 1]!.name;
      if (seen.has(name) && before !== name)
        return `${where} is separated from the others by ${JSON.stringify(before)}`;
    } else if (PIXEL_CHUNKS.has(name)) {
      if (seen.has(name)) return `${where} is the second one`;
      if (name !== "IEND" && seen.has("IDAT")) return `${where} follows the pixels`;
    }
    seen.add(name);
  }
  return null;
}

import zlib from "node:zlib";
import { compressors } from "hyparquet-compressors";
import { readLz4Block, readZstd } from "../../lib/bytes/index.ts";

/**
 * Decompresses a page into exactly `size` bytes. Nothing allocates more than that, whatever the bytes claim.
 * @throws Error if the bytes are damaged, or hold another number of bytes.
 */
export function decompress(codec: string, bytes: Uint8Array, size: number): Uint8Array {
  const page = decoded(codec, bytes, size);
  if (page.length !== size) throw new Error(`a page holds ${page.length} bytes instead of ${size}`);
  return page;
}

function decoded(codec: string, bytes: Uint8Array, size: number): Uint8Array {
  // Node refuses a limit of 0.
  const limit = { maxOutputLength: Math.max(1, size) };
  switch (codec) {
    case "UNCOMPRESSED":
      return bytes;
    case "SNAPPY":
      if (snappyLength(bytes) !== size)
        throw new Error(`a Snappy page holds ${snappyLength(bytes)} bytes instead of ${size}`);
      return size === 0 ? new Uint8Array(0) : compressors.SNAPPY!(bytes, size);
    case "GZIP":
      return zlib.unzipSync(bytes, limit);
    case "BROTLI":
      return zlib.brotliDecompressSync(bytes, limit);
    case "ZSTD":
      return readZstd(bytes, size);
    case "LZ4_RAW":
      return block(bytes, size);
    case "LZ4":
      return hadoop(bytes, size) ?? block(bytes, size);
    default:
      throw new Error(`the codec ${codec} is unknown`);
  }
}

/** Snappy starts with its decompressed length. */
function snappyLength(bytes: Uint8Array): number {
  let length = 0;
  for (let i = 0; i < 5; i++) {
    const byte = bytes[i];
    if (byte === undefined) break;
    length += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return length;
  }
  throw new Error("a Snappy page has no length");
}

function block(bytes: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  const written = readLz4Block(bytes, out, 0);
  if (written !== size) throw new Error(`an LZ4 page holds ${written} bytes instead of ${size}`);
  return out;
}

/** The old codec LZ4: blocks, each after both of its lengths with the highest byte first. Null if it is not that. */
function hadoop(bytes: Uint8Array, size: number): Uint8Array | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = new Uint8Array(size);
  let from = 0;
  let to = 0;
  while (from < bytes.length) {
    if (from + 8 > bytes.length) return null;
    const full = view.getUint32(from);
    const packed = view.getUint32(from + 4);
    from += 8;
    if (to + full > size || from + packed > bytes.length) return null;
    // Each block stands alone: its matches reach back to its own start.
    const part = out.subarray(to, to + full);
    try {
      if (readLz4Block(bytes.subarray(from, from + packed), part, 0) !== full) return null;
    } catch {
      return null;
    }
    from += packed;
    to += full;
  }
  return to === size ? out : null;
}

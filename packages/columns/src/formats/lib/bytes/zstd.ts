import zlib from "node:zlib";
import { decompress } from "fzstd";

/**
 * Decompresses Zstandard that holds exactly `length` bytes, with Node's own decoder if it has one (from Node 22.15 on).
 * @throws Error if the bytes are damaged, or hold another number of bytes.
 */
export function readZstd(bytes: Uint8Array, length: number): Uint8Array {
  const native = zlib.zstdDecompressSync as typeof zlib.zstdDecompressSync | undefined;
  // A bomb stops at the stated length.
  const out =
    native === undefined
      ? decompress(bytes, new Uint8Array(length))
      : native(bytes, { maxOutputLength: Math.max(1, length) });
  if (out.length !== length) throw new Error(`Zstandard data hold ${out.length} bytes instead of ${length}`);
  return out;
}

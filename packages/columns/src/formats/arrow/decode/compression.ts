import { readLz4Frame, readZstd } from "../../lib/bytes/index.ts";
import { MAX_BUFFER_BYTES } from "../limits.ts";

/** Bytes of the length before a compressed buffer. */
const LENGTH_BYTES = 8;
/** The length of a buffer that is stored as it is. */
const STORED = -1n;

/**
 * Returns the bytes that a compressed buffer states for after its decompression.
 * @throws Error if it is damaged, or states more than a buffer may have.
 */
export function statedBytes(buffer: Uint8Array): number {
  if (buffer.length === 0) return 0;
  if (buffer.length < LENGTH_BYTES) throw new Error("a compressed buffer ends inside its length");
  const stated = new DataView(buffer.buffer, buffer.byteOffset).getBigInt64(0, true);
  if (stated === STORED) return buffer.length - LENGTH_BYTES;
  if (stated < 0n || stated > BigInt(MAX_BUFFER_BYTES)) {
    throw new Error(`a compressed buffer states ${stated} bytes, and the limit is ${MAX_BUFFER_BYTES}`);
  }
  return Number(stated);
}

/**
 * Decompresses a buffer, whose length precedes it. Nothing allocates more than that, whatever the bytes claim.
 * @throws Error if the bytes are damaged, or hold another number of bytes.
 */
export function decompressed(codec: "lz4" | "zstd", buffer: Uint8Array): Uint8Array {
  const length = statedBytes(buffer);
  if (buffer.length === 0) return buffer;
  const body = buffer.subarray(LENGTH_BYTES);
  if (new DataView(buffer.buffer, buffer.byteOffset).getBigInt64(0, true) === STORED) return body;
  const bytes = codec === "lz4" ? readLz4Frame(body, length) : readZstd(body, length);
  // Node's decoder may return a part of memory that others use, and values move to another thread with their memory.
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

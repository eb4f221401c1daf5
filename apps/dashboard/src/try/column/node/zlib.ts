// Takes the place of node:zlib in a page. Without the checksum and Zstandard of Node, @polybin/columns uses what it has.
import { compressors } from "hyparquet-compressors";

interface Limit {
  readonly maxOutputLength: number;
}

export default {
  unzipSync: (bytes: Uint8Array, { maxOutputLength }: Limit): Uint8Array =>
    compressors.GZIP!(bytes, maxOutputLength),
  brotliDecompressSync: (bytes: Uint8Array, { maxOutputLength }: Limit): Uint8Array =>
    compressors.BROTLI!(bytes, maxOutputLength),
};

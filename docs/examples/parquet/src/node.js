// Takes the place of node:zlib, node:buffer, node:os and piscina in the page.
import { compressors } from "hyparquet-compressors";

export const availableParallelism = () => 1;

/** Whether the bytes are UTF-8. */
export function isUtf8(bytes) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export class Piscina {
  constructor() {
    throw new Error("expected to decode on one thread of a page");
  }
}

export default {
  unzipSync: (bytes, { maxOutputLength }) => compressors.GZIP(bytes, maxOutputLength),
  brotliDecompressSync: (bytes, { maxOutputLength }) => compressors.BROTLI(bytes, maxOutputLength),
};

// Takes the place of Node's modules and of piscina in the page.
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

/** What reads files, and what starts threads, is not called in a page. */
const lacking = (name) => () => {
  throw new Error(`a page has no ${name}`);
};
export const fileURLToPath = lacking("node:url");
export const fstatSync = lacking("node:fs");
export const [open, readdir, realpath, stat] = Array(4).fill(lacking("node:fs/promises"));
export const [join, resolve] = Array(2).fill(lacking("node:path"));
export const posix = { join, resolve };
export const sep = "/";
export const pipeline = lacking("node:stream");
export const Worker = lacking("node:worker_threads");
export const isMainThread = true;
export const env = {};
export const stdin = null;

/** A request that failed is tried again after a pause. */
const wait = (ms, value) => new Promise((done) => globalThis.setTimeout(done, ms, value));

export { wait as setTimeout };

export default {
  unzipSync: (bytes, { maxOutputLength }) => compressors.GZIP(bytes, maxOutputLength),
  brotliDecompressSync: (bytes, { maxOutputLength }) => compressors.BROTLI(bytes, maxOutputLength),
};

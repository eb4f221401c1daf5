// How much a page loads for its first histogram, and how much it may.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** Bytes of scripts, minified and gzipped, that a page may load until its first histogram is done. */
const LIMITS = { core: 20_000, webgpu: 60_000 };

/** Bytes of the scripts, gzipped. @param loaded their addresses */
export function loadedBytes(folder, page, loaded) {
  const names = new Set([`${page}.mjs`, ...loaded.map((address) => new URL(address).pathname.slice(1))]);
  return [...names].reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length,
    0,
  );
}

/** Null, or a sentence. */
export function isSmallEnough(bundler, page, bytes) {
  console.log(`${page} ${bundler}: ${bytes}`);
  return bytes <= LIMITS[page]
    ? null
    : `expected at most ${LIMITS[page]} bytes, gzipped, but a page loads ${bytes}`;
}

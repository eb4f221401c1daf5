import { closeSync, openSync, writeSync } from "node:fs";
import type { Values } from "./distributions.ts";

/** Bytes per write, since Node writes at most 2 GiB at once. */
const PIECE = 2 ** 30;

/** Writes samples to a file. */
export function save(path: string, { buffer, byteOffset, byteLength }: Values): void {
  const file = openSync(path, "w");
  try {
    for (let at = 0; at < byteLength; ) {
      const bytes = Math.min(PIECE, byteLength - at);
      at += writeSync(file, new Uint8Array(buffer, byteOffset + at, bytes));
    }
  } finally {
    closeSync(file);
  }
}

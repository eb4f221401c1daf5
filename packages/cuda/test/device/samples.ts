import type { Histogram } from "@polybin/core";
import { check } from "./case.ts";

/** Bytes that differ for every seed. */
export function bytesOf(seed: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed * 2 + 1;
  for (let i = 0; i < length; i++) {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    bytes[i] = state >>> (24 - (seed & 3));
  }
  return bytes;
}

export function cellsOf(bytes: Uint8Array): Float64Array {
  const cells = new Float64Array(256);
  for (const byte of bytes) cells[byte]! += 1;
  return cells;
}

export function checkCells({ counts }: Histogram, cells: Float64Array, what: string): void {
  const wrong = cells.findIndex((count, bin) => counts[bin] !== count);
  check(wrong < 0, `expected ${cells[wrong]} in bin ${wrong} of ${what} but received ${counts[wrong]}`);
}

/** This number of zero bytes, all in bin 0. */
export function checkZeros({ counts }: Histogram, many: number, what: string): void {
  checkCells(
    { counts } as Histogram,
    Float64Array.from({ length: 256 }, (_, i) => (i === 0 ? many : 0)),
    what,
  );
}

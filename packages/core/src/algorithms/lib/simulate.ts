import { WORD_BYTES } from "../../base/index.ts";

/**
 * Yields the words of four codes that a thread reads, as the papers' kernels read 32-bit words. Thread t of block b
 * starts at word b * threads + t and advances by the number of all threads.
 */
export function* gridWords(
  codes: number,
  threads: number,
  blocks: number,
  block: number,
  thread: number,
): Generator<number> {
  const words = Math.ceil(codes / WORD_BYTES);
  for (let word = block * threads + thread; word < words; word += threads * blocks) yield word;
}

/** Calls `each` for the codes of a word that exist (the last word may be short) and are cells. */
export function eachCode(
  codes: Uint32Array,
  word: number,
  cells: number,
  each: (code: number) => void,
): void {
  const end = Math.min(codes.length, (word + 1) * WORD_BYTES);
  for (let i = word * WORD_BYTES; i < end; i++) if (codes[i]! < cells) each(codes[i]!);
}

/** Splits cells into windows of `perPass` and shifts each into 0 … perPass - 1, as a pass sees them. */
export function inPasses(
  codes: Uint32Array,
  cells: number,
  perPass: number,
  pass: (codes: Uint32Array, cells: number) => ArrayLike<number>,
): Float64Array {
  const out = new Float64Array(cells);
  if (perPass >= cells) {
    out.set(pass(codes, cells));
    return out;
  }
  for (let first = 0; first < cells; first += perPass) {
    const count = Math.min(perPass, cells - first);
    // Codes below the window wrap around to large ones, so they are skipped too.
    const shifted = codes.map((code) => (code < cells ? (code - first) >>> 0 : code));
    out.set(pass(shifted, count), first);
  }
  return out;
}

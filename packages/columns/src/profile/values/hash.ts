import { HASH_CELLS } from "../limits.ts";

// The constants are those of MurmurHash3's finalizer. Partial profiles of all machines share the cells, so a change of
// the hash is a change of the format.
const FIRST = 0x85ebca6b;
const SECOND = 0xc2b2ae35;
const GOLDEN = 0x9e3779b1;

/** Mixes all bits of a hash. Different ones stay different. */
export function finished(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, FIRST);
  h ^= h >>> 13;
  h = Math.imul(h, SECOND);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Hashes a 64-bit value to 32 bits. */
export function hashOfWords(lower: number, upper: number): number {
  return finished(lower ^ Math.imul(upper, GOLDEN));
}

/** Hashes the code units of a string to 32 bits. */
export function hashOfText(text: string): number {
  let hash = text.length;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), GOLDEN);
  return finished(hash);
}

const RANK_SEED = 0x2545f491;
const SHIFT = 15;
const REST = 32 - SHIFT;

/** One step of MurmurHash3. */
function mixed(hash: number, word: number): number {
  const product = Math.imul(word, SECOND);
  return Math.imul(hash ^ Math.imul((product << SHIFT) | (product >>> REST), FIRST), 5) + GOLDEN;
}

/** A second hash of a 64-bit value, which does not depend on the first one. */
export function rankHashOfWords(lower: number, upper: number): number {
  return finished(mixed(mixed(RANK_SEED, lower), upper));
}

/** The same for the code units of a string. */
export function rankHashOfText(text: string): number {
  let hash = RANK_SEED ^ text.length;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), SECOND);
  return finished(hash);
}

/** A power of two less one. A remainder of 32 bits would be computed as a double. */
const CELL_BITS = HASH_CELLS - 1;

/** The cell of a hash in a table of counts. */
export function cellOf(hash: number): number {
  return hash & CELL_BITS;
}

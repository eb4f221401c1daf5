/** Codes have at most 12 bits. */
const MOST_CODES = 4096;
const MOST_BITS = 12;

/**
 * Counts the pixels that GIF's LZW data stand for. It reads the codes but does not write pixels.
 * @param data the data without the lengths of its blocks
 * @param width bits of a pixel
 * @param enough the count may stop above this number
 * @returns null if a code has no meaning yet
 */
export function lzwPixels(data: Uint8Array, width: number, enough: number): number | null {
  if (width < 1 || width >= MOST_BITS) return null;
  const clear = 1 << width;
  const end = clear + 1;
  // The number of pixels of each code. A new code stands for those of the previous code and one more.
  const pixels = new Uint32Array(MOST_CODES).fill(1, 0, clear);
  let bits = width + 1;
  let codes = end + 1;
  let before = -1;
  let total = 0;
  for (let held = 0, have = 0, at = 0; ; ) {
    for (; have < bits; have += 8) {
      if (at === data.length) return total;
      held |= data[at++]! << have;
    }
    const code = held & ((1 << bits) - 1);
    held >>>= bits;
    have -= bits;
    if (code === end) return total;
    if (code === clear) {
      bits = width + 1;
      codes = end + 1;
      before = -1;
      continue;
    }
    if (before < 0 ? code >= clear : code > codes) return null;
    if (before >= 0 && codes < MOST_CODES) {
      pixels[codes++] = pixels[before]! + 1;
      if (codes === 1 << bits && bits < MOST_BITS) bits += 1;
    }
    total += pixels[code]!;
    if (total > enough) return total;
    before = code;
  }
}

/**
 * An expanded Huffman table. The next 16 bits are the index of the code's length times 256 plus its symbol, or of 0 if
 * no code begins with them. Common codes are short, so a first table of 2 KiB has the codes of up to 10 bits. It stays
 * in the nearest cache.
 */
export interface HuffmanTable {
  readonly near: Uint16Array;
  readonly far: Uint16Array;
}

const LOOKAHEAD = 16;
const NEAR_BITS = 10;
const COEFFICIENTS = 64;
const MARKER = 0xff;
const STUFFED = 0x00;
const FIRST_RESTART = 0xd0;
const RESTARTS = 8;

/** One scan of a sequential JPEG. */
export interface Scan {
  /** The tables of each block of an MCU, in order. */
  readonly blocks: readonly { readonly dc: HuffmanTable; readonly ac: HuffmanTable }[];
  readonly mcus: number;
  /** MCUs between two restart markers, or 0 for none. */
  readonly restart: number;
}

/**
 * Expands a table from a DHT segment.
 * @param lengths the numbers of codes with 1, 2 … 16 bits
 * @returns null if there are more codes than room
 */
export function huffmanTable(lengths: Uint8Array, symbols: Uint8Array): HuffmanTable | null {
  const table = new Uint16Array(2 ** LOOKAHEAD);
  let from = 0;
  let next = 0;
  for (const [i, count] of lengths.entries()) {
    const width = 2 ** (LOOKAHEAD - 1 - i);
    for (let code = 0; code < count; code++) {
      if (from + width > table.length) return null;
      table.fill(((i + 1) << 8) | symbols[next++]!, from, from + width);
      from += width;
    }
  }
  const shift = LOOKAHEAD - NEAR_BITS;
  const near = Uint16Array.from({ length: 2 ** NEAR_BITS }, (_, i) => table[i << shift]!);
  for (const [i, found] of near.entries()) if (found >> 8 > NEAR_BITS) near[i] = 0;
  return { near, far: table };
}

/**
 * Reads a scan's codes and drops the coefficients. Decoders stop when the last block is full. Data that are left over
 * then, or missing, show damage further ahead.
 * @param at the first byte of its data
 * @param end the end of its data or a later place
 * @returns the damage or null, and the place of the marker after the data
 */
export function walkScan(
  bytes: Uint8Array,
  at: number,
  end: number,
  { blocks, mcus, restart }: Scan,
): { readonly damage: string | null; readonly next: number } {
  const scratch = new Uint8Array(end - at + LOOKAHEAD);
  let next = at;
  for (let done = 0, interval = 0; done < mcus; interval++) {
    if (interval > 0) {
      const expected = FIRST_RESTART + ((interval - 1) % RESTARTS);
      if (bytes[next + 1] !== expected)
        return { damage: "a restart marker is missing or out of order", next };
      next += 2;
    }
    const part = unstuff(bytes, next, scratch);
    next = part.next;
    const until = restart === 0 ? mcus : Math.min(mcus, done + restart);
    const used = readBlocks(scratch, part.length, blocks, until - done);
    if (used === null) return { damage: "its data contain an undefined code", next };
    if (used > part.length) return { damage: "its data end before its last pixel", next };
    if (used < part.length) {
      return { damage: `${part.length - used} bytes of its data are left over after its last pixel`, next };
    }
    done = until;
  }
  return { damage: null, next };
}

/** Copies data without stuffed bytes, up to the next marker, followed by zeros. */
function unstuff(bytes: Uint8Array, at: number, into: Uint8Array): { length: number; next: number } {
  let length = 0;
  for (;;) {
    const found = bytes.indexOf(MARKER, at);
    const stop = found < 0 ? bytes.length : found;
    into.set(bytes.subarray(at, stop), length);
    length += stop - at;
    if (bytes[stop + 1] !== STUFFED) {
      into.fill(0, length, length + LOOKAHEAD);
      // Any number of these bytes may precede a marker.
      let next = stop;
      while (bytes[next + 1] === MARKER) next += 1;
      return { length, next };
    }
    into[length++] = MARKER;
    at = stop + 2;
  }
}

/** @returns the bytes that the MCUs take, or null if no code fits */
function readBlocks(data: Uint8Array, length: number, blocks: Scan["blocks"], mcus: number): number | null {
  let byte = 0;
  let bit = 0;
  for (let mcu = 0; mcu < mcus; mcu++) {
    for (let block = 0; block < blocks.length; block++) {
      // The DC coefficient, then the others by runs of zeros.
      let table = blocks[block]!.dc;
      for (let k = 0; k < COEFFICIENTS; ) {
        const ahead = ((data[byte]! << 16) | (data[byte + 1]! << 8) | data[byte + 2]!) >> (8 - bit);
        const found =
          table.near[(ahead >> (LOOKAHEAD - NEAR_BITS)) & (2 ** NEAR_BITS - 1)]! ||
          table.far[ahead & 0xffff]!;
        if (found === 0) return byte < length ? null : length + 1;
        const size = found & 15;
        bit += (found >> 8) + size;
        byte += bit >> 3;
        bit &= 7;
        if (k === 0) {
          table = blocks[block]!.ac;
          k = 1;
          continue;
        }
        const run = (found >> 4) & 15;
        if (size === 0 && run < 15) break;
        k += run + 1;
        if (k > COEFFICIENTS) return null;
      }
      if (byte > length) return length + 1;
    }
  }
  return bit === 0 ? byte : byte + 1;
}

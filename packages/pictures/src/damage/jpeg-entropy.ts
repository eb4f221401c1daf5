/**
 * An expanded Huffman table. The next 16 bits are the index of the code's length times 256 plus its symbol, or of 0 if
 * no code begins with them.
 */
export type HuffmanTable = Uint16Array;

const LOOKAHEAD = 16;
const COEFFICIENTS = 64;
/** Bits of a run's index. Four tables of 8 KiB stay in the nearest cache. */
const RUN_BITS = 12;
/** A run's bits have the low five bits, since a code within the index and its coefficient have at most 27. */
const RUN_LENGTH = 31;
const RUN_COEFFICIENTS = 5;
/** Set if the run ends its block. */
const RUN_ENDS = 1 << 15;
/** More bytes than the codes of a block take: 64 times 16 bits, and 15 of the coefficient. */
const BLOCK_BYTES = 256;
const MARKER = 0xff;
const STUFFED = 0x00;
const FIRST_RESTART = 0xd0;
const RESTARTS = 8;

/** One scan of a sequential JPEG. */
export interface Scan {
  /** The tables of each block of an MCU, in order. */
  readonly blocks: readonly Block[];
  readonly mcus: number;
  /** MCUs between two restart markers, or 0 for none. */
  readonly restart: number;
}

/** The tables of a block. */
export interface Block {
  readonly dc: HuffmanTable;
  readonly ac: HuffmanTable;
  /** The codes at the start of a block, and behind its start, which are read in one step. */
  readonly start: Uint16Array;
  readonly rest: Uint16Array;
}

/** Returns the tables of the blocks that use these codes for their first coefficient and for the others. */
export function blockOf(dc: HuffmanTable, ac: HuffmanTable): Block {
  return { dc, ac, start: runsOf(dc, ac), rest: runsOf(ac, ac) };
}

/**
 * Returns the codes that lie within the next 12 bits, as one step: the bits that they take with their coefficients,
 * their coefficients, and whether the last of them ends the block. The step is 0 if the first code is longer or unknown.
 */
function runsOf(first: HuffmanTable, others: HuffmanTable): Uint16Array {
  return Uint16Array.from({ length: 2 ** RUN_BITS }, (_, i) => {
    let [bits, coefficients] = [0, 0];
    for (let table = first; bits < RUN_BITS; table = others) {
      const found = table[(i << (LOOKAHEAD - RUN_BITS + bits)) & 0xffff]!;
      if (found === 0 || bits + (found >> 8) > RUN_BITS) break;
      const [size, zeros] = [found & 15, (found >> 4) & 15];
      const isStart = bits === 0 && first !== others;
      bits += (found >> 8) + size;
      coefficients += isStart ? 1 : zeros + 1;
      if (!isStart && size === 0 && zeros < 15) return RUN_ENDS | (coefficients << RUN_COEFFICIENTS) | bits;
    }
    return (coefficients << RUN_COEFFICIENTS) | bits;
  });
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
  return table;
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
  const scratch = new Uint8Array(end - at + BLOCK_BYTES);
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
      into.fill(0, length, length + BLOCK_BYTES);
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
  const view = new DataView(data.buffer);
  let byte = 0;
  let bit = 0;
  for (let mcu = 0; mcu < mcus; mcu++) {
    for (const { dc, ac, start, rest } of blocks) {
      // The DC coefficient, then the others by runs of zeros.
      let runs = start;
      for (let k = 0; k < COEFFICIENTS; ) {
        const ahead = view.getUint32(byte) << bit;
        const run = runs[ahead >>> (32 - RUN_BITS)]!;
        const behind = k + ((run & ~RUN_ENDS) >> RUN_COEFFICIENTS);
        // Codes that may fill the block are read one by one, because those of the next one follow.
        if (run !== 0 && behind < COEFFICIENTS) {
          bit += run & RUN_LENGTH;
          byte += bit >> 3;
          bit &= 7;
          if (run >= RUN_ENDS) break;
          k = behind;
          runs = rest;
          continue;
        }
        const found = (k === 0 ? dc : ac)[ahead >>> (32 - LOOKAHEAD)]!;
        if (found === 0) return byte < length ? null : length + 1;
        const size = found & 15;
        bit += (found >> 8) + size;
        byte += bit >> 3;
        bit &= 7;
        runs = rest;
        if (k === 0) {
          k = 1;
          continue;
        }
        const zeros = (found >> 4) & 15;
        if (size === 0 && zeros < 15) break;
        k += zeros + 1;
        if (k > COEFFICIENTS) return null;
      }
      if (byte > length) return length + 1;
    }
  }
  return bit === 0 ? byte : byte + 1;
}

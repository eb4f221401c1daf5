/** The shortest match of an LZ4 sequence. Lengths are stored without it. */
const MIN_MATCH = 4;
/** A length nibble with this value goes on in the next bytes. */
const LONG = 15;

/**
 * Returns the position after a length's further bytes. All of them are 255, except the last.
 * @throws Error if the block ends before.
 */
function lengthEnd(block: Uint8Array, from: number): number {
  let at = from;
  while (block[at] === 255) at++;
  if (at >= block.length) throw new Error("an LZ4 block ends inside a length");
  return at + 1;
}

/** Returns a length whose further bytes lie from `from` to `end`. */
const longLength = (block: Uint8Array, from: number, end: number): number =>
  LONG + 255 * (end - from - 1) + block[end - 1]!;

/**
 * Decompresses an LZ4 block into `out`, from `at` on. Returns the position after the last byte that it wrote.
 * Matches may reach back to the start of `out`, because the blocks of a frame may depend on each other.
 *
 * No closure changes a variable of this loop: V8 14 compiles such a loop wrongly when it replaces it while it runs.
 * @throws Error if the block is damaged, or holds more than fits.
 */
export function readLz4Block(block: Uint8Array, out: Uint8Array, at: number): number {
  let from = 0;
  let to = at;
  while (from < block.length) {
    const token = block[from++]!;
    let literals = token >> 4;
    if (literals === LONG) {
      const end = lengthEnd(block, from);
      literals = longLength(block, from, end);
      from = end;
    }
    if (from + literals > block.length || to + literals > out.length)
      throw new Error("the literals of an LZ4 block do not fit");
    // Short runs are faster byte by byte.
    if (literals > 32) out.set(block.subarray(from, from + literals), to);
    else for (let i = 0; i < literals; i++) out[to + i] = block[from + i]!;
    from += literals;
    to += literals;
    // The last sequence has no match.
    if (from === block.length) return to;
    if (from + 2 > block.length) throw new Error("an LZ4 block ends inside an offset");
    const back = block[from]! | (block[from + 1]! << 8);
    from += 2;
    let match = token & LONG;
    if (match === LONG) {
      const end = lengthEnd(block, from);
      match = longLength(block, from, end);
      from = end;
    }
    match += MIN_MATCH;
    if (back === 0 || back > to || to + match > out.length)
      throw new Error("a match of an LZ4 block does not fit");
    if (back >= match && match > 32) out.copyWithin(to, to - back, to - back + match);
    else for (let i = 0; i < match; i++) out[to + i] = out[to - back + i]!;
    to += match;
  }
  return to;
}

const FRAME_MAGIC = 0x184d2204;
/** Bits of a frame's flags. */
const FLAGS = {
  version: 0xc0,
  versionOne: 0x40,
  blockChecksum: 0x10,
  contentSize: 0x08,
  dictionary: 0x01,
} as const;
/** The bit of a block's size that marks a block that is stored as it is. */
const STORED = 0x8000_0000;

/**
 * Decompresses an LZ4 frame that holds exactly `length` bytes. Checksums are not checked.
 * @throws Error if the frame is damaged, or holds another number of bytes.
 */
export function readLz4Frame(frame: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.getUint32(0, true) !== FRAME_MAGIC) throw new Error("an LZ4 frame lacks its magic number");
  const flags = view.getUint8(4);
  if ((flags & FLAGS.version) !== FLAGS.versionOne) throw new Error("the version of an LZ4 frame is unknown");
  if (flags & FLAGS.dictionary) throw new Error("an LZ4 frame needs a dictionary");
  // Magic number, flags, descriptor, optional size, checksum of the header.
  let from = 6 + (flags & FLAGS.contentSize ? 8 : 0) + 1;
  const out = new Uint8Array(length);
  let to = 0;
  for (;;) {
    const word = view.getUint32(from, true);
    from += 4;
    if (word === 0) break;
    const size = (word & ~STORED) >>> 0;
    if (from + size > frame.length) throw new Error("an LZ4 frame ends inside a block");
    const block = frame.subarray(from, from + size);
    if (word & STORED) {
      if (to + size > length) throw new Error("an LZ4 frame holds more than it states");
      out.set(block, to);
      to += size;
    } else to = readLz4Block(block, out, to);
    from += size + (flags & FLAGS.blockChecksum ? 4 : 0);
  }
  if (to !== length) throw new Error(`an LZ4 frame holds ${to} bytes instead of ${length}`);
  return out;
}

/** The shortest match of an LZ4 sequence. Lengths are stored without it. */
const MIN_MATCH = 4;
/** A length nibble with this value goes on in the next bytes. */
const LONG = 15;

/**
 * Decompresses an LZ4 block into `out`, from `at` on. Returns the position after the last byte that it wrote.
 * Matches may reach back to the start of `out`, because the blocks of a frame may depend on each other.
 * @throws Error if the block is damaged, or holds more than fits.
 */
export function readLz4Block(block: Uint8Array, out: Uint8Array, at: number): number {
  let from = 0;
  let to = at;
  const length = (nibble: number): number => {
    let sum = nibble;
    if (nibble < LONG) return sum;
    for (;;) {
      const more = block[from++];
      if (more === undefined) throw new Error("an LZ4 block ends inside a length");
      sum += more;
      if (more !== 255) return sum;
    }
  };
  while (from < block.length) {
    const token = block[from++]!;
    const literals = length(token >> 4);
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
    const match = length(token & LONG) + MIN_MATCH;
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

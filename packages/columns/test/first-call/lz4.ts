const MIN_MATCH = 4;
const WINDOW = 65_535;
/** A block ends with literals: five of them at least, and no match begins within its last twelve bytes. */
const LAST_LITERALS = 5;
const LAST_MATCH = 12;

/** Compresses the bytes from `start` to `end` into an LZ4 block. Its matches may reach back before `start`. */
export function lz4Block(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const out: Uint8Array = new Uint8Array((end - start) * 2 + 64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const places = new Int32Array(65_536).fill(-1);
  const hashOf = (at: number) => Math.imul(view.getUint32(at, true), 2_654_435_761) >>> 16;
  for (let i = Math.max(0, start - WINDOW); i < start; i++) places[hashOf(i)] = i;
  let to = 0;
  let from = start;
  for (let at = start; at < end - LAST_MATCH; ) {
    const hash = hashOf(at);
    const before = places[hash]!;
    places[hash] = at;
    if (before < 0 || at - before > WINDOW || view.getUint32(before, true) !== view.getUint32(at, true)) {
      at++;
      continue;
    }
    let match = MIN_MATCH;
    while (at + match < end - LAST_LITERALS && bytes[before + match] === bytes[at + match]) match++;
    to = putSequence(out, to, bytes.subarray(from, at), match - MIN_MATCH);
    // The offset lies before the further bytes of the match's length.
    const back = at - before;
    const long = match - MIN_MATCH >= 15 ? Math.floor((match - MIN_MATCH - 15) / 255) + 1 : 0;
    out.copyWithin(to - long + 2, to - long, to);
    out[to - long] = back & 255;
    out[to - long + 1] = back >> 8;
    to += 2;
    at += match;
    from = at;
  }
  to = putSequence(out, to, bytes.subarray(from, end), 0);
  return out.slice(0, to);
}

/** Writes a token, literals and the further bytes of a match's length. Returns the position after them. */
function putSequence(out: Uint8Array, at: number, literals: Uint8Array, match: number): number {
  out[at] = (Math.min(15, literals.length) << 4) | Math.min(15, match);
  const to = putLength(out, at + 1, literals.length);
  out.set(literals, to);
  return putLength(out, to + literals.length, match);
}

function putLength(out: Uint8Array, at: number, length: number): number {
  if (length < 15) return at;
  let to = at;
  let rest = length - 15;
  for (; rest >= 255; rest -= 255) out[to++] = 255;
  out[to++] = rest;
  return to;
}

/** Compresses bytes into an LZ4 frame whose blocks depend on each other, as Arrow's own writers do. */
export function lz4Frame(bytes: Uint8Array): Uint8Array {
  const size = 65_536;
  const word = (value: number) => new Uint8Array(Uint32Array.of(value).buffer);
  // Version 1, dependent blocks of at most 64 kB. The header's checksum is not read.
  const parts: Uint8Array[] = [word(0x184d_2204), Uint8Array.of(0x40, 0x40, 0)];
  for (let at = 0; at < bytes.length; at += size) {
    const block = lz4Block(bytes, at, Math.min(bytes.length, at + size));
    parts.push(word(block.length), block);
  }
  return Buffer.concat([...parts, word(0)]);
}

/** Compresses bytes as Hadoop's codec LZ4: blocks after both of their lengths, with the highest byte first. */
export function lz4Hadoop(bytes: Uint8Array): Uint8Array {
  const size = 262_144;
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.slice(at, at + size);
    const block = lz4Block(part, 0, part.length);
    const head = new DataView(new ArrayBuffer(8));
    head.setUint32(0, part.length);
    head.setUint32(4, block.length);
    parts.push(new Uint8Array(head.buffer), block);
  }
  return Buffer.concat(parts);
}

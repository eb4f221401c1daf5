/** Slots of the table at the start. It is a power of two. */
const FIRST_SLOTS = 1024;
/** Bytes of a string that is copied byte by byte. */
const SHORT = 64;
const EMPTY = 0xffff_ffff;

/**
 * Different strings of UTF-8 bytes, in the order in which they first came. Equal bytes share one copy, so memory grows
 * with the different strings alone.
 */
export class Interned {
  readonly #limit: number;
  #bytes = new Uint8Array(4096);
  #used = 0;
  /** The place of string i is from #ends[i - 1] to #ends[i]. */
  #ends = new Uint32Array(256);
  #hashes = new Uint32Array(256);
  #slots = new Uint32Array(FIRST_SLOTS).fill(EMPTY);
  /** Number of different strings. */
  count = 0;

  /** @param limit the bytes of different strings that it accepts. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Returns the index of a string that lies in `source`.
   * @throws Error if the different strings exceed the limit.
   */
  codeOf(source: Uint8Array, start: number, end: number): number {
    const hash = hashOf(source, start, end);
    const slots = this.#slots;
    const hashes = this.#hashes;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const code = slots[slot]!;
      if (code === EMPTY) return this.#add(source, start, end, hash, slot);
      if (hashes[code] === hash && this.#equals(code, source, start, end)) return code;
    }
  }

  #equals(code: number, source: Uint8Array, start: number, end: number): boolean {
    let at = code === 0 ? 0 : this.#ends[code - 1]!;
    if (this.#ends[code]! - at !== end - start) return false;
    const bytes = this.#bytes;
    for (let i = start; i < end; i++) if (bytes[at++] !== source[i]) return false;
    return true;
  }

  #add(source: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const used = this.#used + end - start;
    if (used > this.#limit) throw new Error(`different strings take more than ${this.#limit} bytes`);
    if (used > this.#bytes.length) this.#bytes = grown(this.#bytes, Math.min(2 * used, this.#limit));
    // A view of a short string costs more than copying it.
    if (end - start > SHORT) this.#bytes.set(source.subarray(start, end), this.#used);
    else {
      const bytes = this.#bytes;
      for (let i = start, to = this.#used; i < end; i++) bytes[to++] = source[i]!;
    }
    const code = this.count++;
    if (code === this.#ends.length) {
      this.#ends = grown(this.#ends, 2 * code);
      this.#hashes = grown(this.#hashes, 2 * code);
    }
    this.#ends[code] = used;
    this.#hashes[code] = hash;
    this.#used = used;
    this.#slots[slot] = code;
    // At most half of the slots are taken, so that searches stay short.
    if (2 * this.count > this.#slots.length) this.#spread();
    return code;
  }

  #spread(): void {
    const slots = new Uint32Array(2 * this.#slots.length).fill(EMPTY);
    const mask = slots.length - 1;
    for (let code = 0; code < this.count; code++) {
      let slot = this.#hashes[code]! & mask;
      while (slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      slots[slot] = code;
    }
    this.#slots = slots;
  }

  /**
   * Returns the strings by index.
   * @throws TypeError if one is not UTF-8.
   */
  strings(): string[] {
    return stringsOf(this.#bytes.subarray(0, this.#used), this.#ends.subarray(0, this.count));
  }
}

/**
 * Returns strings that lie one after another. `ends` has where each ends.
 * @throws TypeError if one is not UTF-8.
 */
export function stringsOf(bytes: Uint8Array, ends: Uint32Array): string[] {
  const all = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const text = all.decode(bytes);
  const strings = new Array<string>(ends.length);
  // ASCII has as many code units as bytes, so its strings are cut out of one.
  const isAscii = text.length === bytes.length;
  let start = 0;
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]!;
    strings[i] = isAscii ? text.slice(start, end) : all.decode(bytes.subarray(start, end));
    start = end;
  }
  return strings;
}

/** A multiplier whose bits are spread (2^32 divided by the golden ratio). */
const SPREAD = 0x9e37_79b1;

/** Returns a hash of bytes, four of them at a time. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  let i = start;
  for (; i + 4 <= end; i += 4) {
    const word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    hash = Math.imul(hash ^ word, SPREAD);
    hash ^= hash >>> 15;
  }
  for (; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, SPREAD);
  return (hash ^ (hash >>> 15)) >>> 0;
}

function grown<A extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(array: A, length: number): A {
  const larger = new (array.constructor as new (length: number) => A)(length);
  larger.set(array);
  return larger;
}

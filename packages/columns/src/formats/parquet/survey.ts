/** Types of Thrift's compact protocol. */
const TYPES = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12,
} as const;
/** Structures lie at most this deep in each other. Those of Parquet need seven levels. */
const MAX_DEPTH = 16;
/** The largest number of a field in Thrift. Readers skip those that they do not know. */
const MAX_FIELD = 32_767;
/** Bytes of an integer of 64 bits. */
const MAX_VARINT_BYTES = 10;

/** Thrown if the bytes end before the structure does. */
export class Incomplete extends Error {}

/** The findings of a walk. Structures and fields come after those in them. */
export interface Seen {
  /**
   * @param path the number of the field at each depth, up to this one
   * @param value of an integer. NaN for all else
   */
  field(path: readonly number[], depth: number, value: number, from: number, to: number): void;
  struct(path: readonly number[], depth: number, from: number, to: number): void;
}

/**
 * Walks through a structure of Thrift's compact protocol without building anything, so that a parser that trusts it can
 * follow. A length that exceeds the bytes, a list with more elements than bytes and deep nesting never reach the parser.
 * Returns the position after the structure.
 * @throws Incomplete if the bytes end inside the structure, Error if they are no such structure, or it has more than
 *   `maxNodes` structures and elements of lists.
 */
export function survey(bytes: Uint8Array, at: number, maxNodes: number, seen: Seen | null = null): number {
  return new Walker(bytes, at, maxNodes, seen).struct(0);
}

class Walker {
  readonly #bytes: Uint8Array;
  #at: number;
  #left: number;
  readonly #seen: Seen | null;
  readonly #path: number[] = [];

  constructor(bytes: Uint8Array, at: number, maxNodes: number, seen: Seen | null) {
    this.#bytes = bytes;
    this.#at = at;
    this.#left = maxNodes;
    this.#seen = seen;
  }

  struct(depth: number): number {
    if (depth > MAX_DEPTH)
      throw new Error(`structures of the metadata lie more than ${MAX_DEPTH} levels deep`);
    this.#spend(1);
    const start = this.#at;
    let field = 0;
    for (;;) {
      const byte = this.#byte();
      const type = byte & 0x0f;
      if (type === TYPES.stop) {
        this.#seen?.struct(this.#path, depth, start, this.#at);
        return this.#at;
      }
      const delta = byte >> 4;
      field = delta === 0 ? zigzag(this.#varint()) : field + delta;
      if (field < 0 || field > MAX_FIELD) throw new Error(`the metadata have a field ${field}`);
      const from = this.#at;
      this.#path[depth] = field;
      // A field's type holds its value if that is a truth value.
      const value = type === TYPES.true || type === TYPES.false ? Number.NaN : this.#value(type, depth);
      this.#seen?.field(this.#path, depth, value, from, this.#at);
    }
  }

  /** Returns the value of an integer, NaN for all else. */
  #value(type: number, depth: number): number {
    switch (type) {
      case TYPES.i16:
      case TYPES.i32:
      case TYPES.i64:
        return zigzag(this.#varint());
      case TYPES.true:
      case TYPES.false:
      case TYPES.byte:
        this.#skip(1);
        return Number.NaN;
      case TYPES.double:
        this.#skip(8);
        return Number.NaN;
      case TYPES.binary:
        this.#skip(this.#varint());
        return Number.NaN;
      case TYPES.list: {
        const head = this.#byte();
        const size = head >> 4 === 15 ? this.#varint() : head >> 4;
        if (size > this.#bytes.length - this.#at)
          throw new Incomplete(`a list of the metadata has ${size} elements`);
        this.#spend(size);
        for (let i = 0; i < size; i++) this.#value(head & 0x0f, depth);
        return Number.NaN;
      }
      case TYPES.struct:
        this.struct(depth + 1);
        return Number.NaN;
      default:
        throw new Error(`the metadata have a value of the unknown type ${type}`);
    }
  }

  #spend(nodes: number): void {
    this.#left -= nodes;
    if (this.#left < 0) throw new Error("the metadata have too many structures");
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new Incomplete("the metadata end too early");
    return byte;
  }

  #skip(length: number): void {
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new Incomplete("the metadata end too early");
  }

  /** Reads an integer. Above 2^53 it is not exact, and then exceeds every limit. */
  #varint(): number {
    let value = 0;
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    throw new Error("the metadata have a number of more than 64 bits");
  }
}

const zigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

/** Bytes before the number of elements of the schema. The version of the format lies between them. */
const SCHEMA_HEAD = { version: 0x15, list: 0x19 } as const;

/** Returns the number of elements that a file's metadata state for their schema, or null if they start otherwise. */
export function schemaElements(bytes: Uint8Array): number | null {
  let at = 1;
  if (bytes[0] !== SCHEMA_HEAD.version) return null;
  while (bytes[at]! >= 0x80) at++;
  at++;
  if (bytes[at] !== SCHEMA_HEAD.list) return null;
  const head = bytes[at + 1]!;
  if (head >> 4 !== 15) return head >> 4;
  let size = 0;
  for (let i = 0; i < 5; i++) {
    const byte = bytes[at + 2 + i];
    if (byte === undefined) return null;
    size += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return size;
  }
  return null;
}

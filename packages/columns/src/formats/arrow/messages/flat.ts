/** The first bytes of an entry in a vector of tables, and of other references. */
const OFFSET_BYTES = 4;

/** The largest number of 16 bits that is the same with and without a sign. */
const MAX_OFFSET = 0x7fff;

/** A table of a FlatBuffer: the position of its values, and the one of the list that says where they are. */
export interface FlatTable {
  readonly at: number;
  readonly vtable: number;
  readonly size: number;
}

/**
 * Reads a FlatBuffer. Every position is checked, so that a reader that trusts the bytes can follow.
 * @throws Error if a position lies outside the bytes.
 */
export class Flat {
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  root(): FlatTable {
    return this.table(0);
  }

  /** Returns the table that the reference at a position points to. */
  table(reference: number): FlatTable {
    const at = this.#follow(reference);
    const vtable = at - this.#int32(at);
    const size = this.#uint16(vtable);
    // Readers differ in what they do with others, and flechette must read what is checked here.
    if (size % 2 !== 0 || size > MAX_OFFSET)
      throw new Error(`a table of the metadata has a list of ${size} bytes`);
    this.#check(vtable, Math.max(size, OFFSET_BYTES));
    return { at, vtable, size };
  }

  /** Returns the position of a table's field, or null if it has its default. */
  field({ at, vtable, size }: FlatTable, index: number): number | null {
    const place = 4 + 2 * index;
    if (place + 2 > size) return null;
    const offset = this.#uint16(vtable + place);
    if (offset > MAX_OFFSET) throw new Error(`a field of the metadata lies ${offset} bytes after its table`);
    return offset === 0 ? null : at + offset;
  }

  uint8(at: number | null, standard: number): number {
    if (at === null) return standard;
    this.#check(at, 1);
    return this.#view.getUint8(at);
  }

  int16(at: number | null, standard: number): number {
    if (at === null) return standard;
    this.#check(at, 2);
    return this.#view.getInt16(at, true);
  }

  /** Reads an integer of 64 bits that counts or locates something. */
  length(at: number | null): number {
    if (at === null) return 0;
    this.#check(at, 8);
    const value = Number(this.#view.getBigInt64(at, true));
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER))
      throw new Error(`the metadata state a length of ${value}`);
    return value;
  }

  /** Reads the name of something, which may be any integer of 64 bits that a double holds. */
  id(at: number | null): number {
    if (at === null) return 0;
    this.#check(at, 8);
    return Number(this.#view.getBigInt64(at, true));
  }

  /** Returns the first position and the length of the vector that the reference points to. Entries take `stride` bytes. */
  vector(reference: number | null, stride: number): { readonly at: number; readonly length: number } {
    if (reference === null) return { at: 0, length: 0 };
    const start = this.#follow(reference);
    this.#check(start, OFFSET_BYTES);
    const length = this.#view.getUint32(start, true);
    this.#check(start + OFFSET_BYTES, length * stride);
    return { at: start + OFFSET_BYTES, length };
  }

  #follow(reference: number): number {
    this.#check(reference, OFFSET_BYTES);
    const at = reference + this.#view.getUint32(reference, true);
    this.#check(at, OFFSET_BYTES);
    return at;
  }

  #int32(at: number): number {
    this.#check(at, 4);
    return this.#view.getInt32(at, true);
  }

  #uint16(at: number): number {
    this.#check(at, 2);
    return this.#view.getUint16(at, true);
  }

  #check(at: number, length: number): void {
    if (!(at >= 0 && at + length <= this.#view.byteLength))
      throw new Error("a position in the metadata lies outside them");
  }
}

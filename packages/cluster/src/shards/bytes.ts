import { PolybinError } from "@polybin/core";

/** Bits of a number in each byte of its encoding. The highest bit says that more bytes follow. */
const GROUP = 128;
const WORD_BYTES = 8;

/** Writes numbers and texts one after the other. */
export class Writer {
  #bytes = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Writes a whole number from 0 to 2^53 - 1 in 1 to 8 bytes. */
  number(value: number): void {
    this.#reserve(WORD_BYTES);
    let rest = value;
    while (rest >= GROUP) {
      this.#bytes[this.#length++] = (rest % GROUP) + GROUP;
      rest = Math.floor(rest / GROUP);
    }
    this.#bytes[this.#length++] = rest;
  }

  float(value: number): void {
    this.#reserve(WORD_BYTES);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += WORD_BYTES;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes a text as UTF-8, or as UTF-16 if it has a surrogate without its partner, which UTF-8 cannot hold. */
  text(text: string): void {
    const isWhole = text.isWellFormed();
    const bytes = Buffer.from(text, isWhole ? "utf8" : "utf16le");
    this.number(2 * bytes.length + (isWhole ? 0 : 1));
    this.raw(bytes);
  }

  /** Returns what was written, as a view. */
  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Reads what a `Writer` wrote. It allocates nothing that the bytes do not justify. */
export class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** @throws ERR_INPUT for a number above 2^53 - 1, or one in more bytes than it needs */
  number(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < WORD_BYTES; i++) {
      const byte = this.#byte();
      value += (byte % GROUP) * scale;
      if (byte < GROUP) {
        if ((byte === 0 && i > 0) || value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
      scale *= GROUP;
    }
    throw broken("a number is written in a wrong way");
  }

  /** Reads how many items follow. @param least bytes of an item at least */
  items(least: number): number {
    const items = this.number();
    if (items * least > this.left) throw broken(`it claims ${items} items in ${this.left} bytes`);
    return items;
  }

  float(): number {
    const bytes = this.raw(WORD_BYTES);
    return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true);
  }

  /** Returns the next bytes, as a view. */
  raw(length: number): Uint8Array {
    if (length > this.left) throw broken(`it claims ${length} bytes where ${this.left} are left`);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  text(): string {
    const length = this.number();
    const isWhole = length % 2 === 0;
    const bytes = this.raw(Math.floor(length / 2));
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(
      isWhole ? "utf8" : "utf16le",
    );
    const again = Buffer.from(text, isWhole ? "utf8" : "utf16le");
    if (isWhole !== text.isWellFormed() || !again.equals(bytes)) throw broken("a text is not UTF-8");
    return text;
  }

  #byte(): number {
    if (this.left === 0) throw broken("it ends early");
    return this.#bytes[this.#at++]!;
  }
}

/** Reads the digits of an integer of 64 bits, as `String` writes them. @throws ERR_INPUT */
export function integerOf(digits: string): bigint {
  if (!/^(0|-?[1-9]\d{0,19})$/.test(digits)) throw broken("an integer is written in a wrong way");
  return BigInt(digits);
}

/** The error for bytes that no polybin wrote. */
export function broken(why: string): PolybinError {
  return new PolybinError(
    "ERR_INPUT",
    `expected a partial result but it is damaged: ${why}; count the shard again`,
  );
}

import { PolybinError } from "@polybin/core";

/** The bits of a byte of a variable-length number that hold its digits. */
const DIGIT = 128;
const BYTE_BITS = 8n;

/** Writes numbers and texts one after the other. */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  /** Writes a whole number from 0 to 2^53 - 1, seven bits per byte. */
  whole(value: number): void {
    let rest = value;
    this.#reserve(8);
    while (rest >= DIGIT) {
      this.#bytes[this.#length++] = (rest % DIGIT) + DIGIT;
      rest = Math.floor(rest / DIGIT);
    }
    this.#bytes[this.#length++] = rest;
  }

  bytes(of: Uint8Array): void {
    this.#reserve(of.length);
    this.#bytes.set(of, this.#length);
    this.#length += of.length;
  }

  /** Writes the bits of a double. */
  double(value: number): void {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value, true);
    this.bytes(new Uint8Array(view.buffer));
  }

  /** Writes an integer of any size: its sign, the number of its bytes, and these. */
  integer(value: bigint): void {
    const size = value < 0n ? -value : value;
    const digits = size === 0n ? "" : size.toString(16);
    const bytes = Uint8Array.from({ length: Math.ceil(digits.length / 2) }, (_, i) => {
      const end = digits.length - 2 * i;
      return Number.parseInt(digits.slice(Math.max(0, end - 2), end), 16);
    });
    this.whole(bytes.length * 2 + (value < 0n ? 1 : 0));
    this.bytes(bytes);
  }

  /** Writes a string by its code units, so that no two strings become one. */
  text(value: string): void {
    this.whole(value.length);
    for (let i = 0; i < value.length; i++) this.whole(value.charCodeAt(i));
  }

  result(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + more));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** Reads what ByteWriter wrote. Every length is checked against the bytes that exist. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** @throws ERR_INPUT above `most`, so that a false number of elements allocates nothing. */
  whole(most: number = Number.MAX_SAFE_INTEGER): number {
    let [value, unit] = [0, 1];
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw broken("an early end");
      value += (byte % DIGIT) * unit;
      if (value > most) throw broken(`a number above ${most}`);
      if (byte < DIGIT) return value;
      unit *= DIGIT;
      if (unit > Number.MAX_SAFE_INTEGER) throw broken("a number of too many bytes");
    }
  }

  bytes(count: number): Uint8Array {
    if (count > this.#bytes.length - this.#at) throw broken("an early end");
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  double(): number {
    const { buffer, byteOffset } = this.bytes(8);
    return new DataView(buffer, byteOffset, 8).getFloat64(0, true);
  }

  /** @throws ERR_INPUT for more than `mostBytes` bytes. */
  integer(mostBytes: number): bigint {
    const head = this.whole(2 * mostBytes + 1);
    let value = 0n;
    const bytes = this.bytes(Math.floor(head / 2));
    for (let i = bytes.length - 1; i >= 0; i--) value = (value << BYTE_BITS) | BigInt(bytes[i]!);
    return head % 2 === 1 ? -value : value;
  }

  text(mostUnits: number): string {
    const length = this.whole(mostUnits);
    const parts: string[] = [];
    const step = 4096;
    for (let done = 0; done < length; done += step) {
      const units = Array.from({ length: Math.min(step, length - done) }, () => this.whole(0xffff));
      parts.push(String.fromCharCode(...units));
    }
    return parts.join("");
  }

  /** @throws ERR_INPUT if bytes remain. */
  end(): void {
    if (this.#at !== this.#bytes.length) throw broken("bytes after its end");
  }
}

/** The error of a partial profile that no writer made. */
export function broken(found: string): PolybinError {
  return new PolybinError("ERR_INPUT", `expected a partial profile but found ${found}`);
}

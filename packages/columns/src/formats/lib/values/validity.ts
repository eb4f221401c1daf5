import type { Validity } from "../../../table/index.ts";

/** Collects the nulls of a chunk. It allocates nothing before the first null. */
export class Nulls {
  count = 0;
  #bits: Uint8Array<ArrayBuffer> | null = null;

  /** Marks a row as null. Rows ascend. */
  mark(row: number): void {
    const byte = row >> 3;
    if (this.#bits === null || byte >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(64, 2 * (byte + 1)));
      if (this.#bits !== null) grown.set(this.#bits);
      this.#bits = grown;
    }
    // Until the end, a set bit is a null, so that untouched rows need nothing.
    this.#bits[byte]! |= 1 << (row & 7);
    this.count++;
  }

  /** Returns one bit per row, 1 for a value, or null if there are no nulls. */
  finish(rows: number): Validity | null {
    if (this.#bits === null) return null;
    const bits = new Uint8Array((rows + 7) >> 3);
    bits.set(this.#bits.subarray(0, bits.length));
    for (let i = 0; i < bits.length; i++) bits[i] = ~bits[i]!;
    // Bits after the last row are 0.
    if (rows & 7) bits[bits.length - 1]! &= (1 << (rows & 7)) - 1;
    return { bits };
  }
}

import { createHash } from "node:crypto";
import type { Batch } from "../../src/index.ts";

/** Adds up the values of a column into a digest: numbers as their bytes with zeros for nulls, strings as lines. */
export class Digest {
  readonly #hash = createHash("sha1");

  numbers(values: ArrayBufferView): void {
    this.#hash.update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }

  strings(values: readonly (string | null)[]): void {
    this.#hash.update(`${values.join("\n")}\n`);
  }

  batch({ columns: [chunk] }: Batch): void {
    if (chunk === undefined || "strings" in chunk)
      throw new Error("expected a column with a dictionary or values");
    const { validity, rows } = chunk;
    const isNull = (row: number) => validity !== null && ((validity.bits[row >> 3]! >> (row & 7)) & 1) === 0;
    if ("codes" in chunk) {
      const { codes, dictionary } = chunk;
      this.strings(Array.from(codes, (code, row) => (isNull(row) ? null : dictionary[code]!)));
    } else {
      const values = chunk.values.slice();
      for (let row = 0; row < rows; row++) if (isNull(row)) values.fill(0 as never, row, row + 1);
      this.numbers(values);
    }
  }

  get text(): string {
    return this.#hash.digest("hex");
  }
}

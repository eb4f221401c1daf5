import type { Chunk, ValueArray, ValuesChunk } from "./types.ts";

/** Returns the values of a chunk that are not null: the chunk's own array if it has no nulls. */
export function valuesOf({ values, validity, nulls }: ValuesChunk): ValueArray {
  if (validity === null || nulls === 0) return values;
  const { bits } = validity;
  const kept = new (values.constructor as new (length: number) => ValueArray)(values.length - nulls);
  let count = 0;
  for (let row = 0; row < values.length; row++) {
    if (((bits[row >> 3]! >> (row & 7)) & 1) === 1) kept[count++] = values[row]!;
  }
  return kept;
}

/** Returns the bits of rows in which both columns have values, or null if all rows have. */
export function bothValid(a: Chunk["validity"], b: Chunk["validity"]): Uint8Array | null {
  if (a === null || b === null) return (a ?? b)?.bits ?? null;
  return a.bits.map((bits, i) => bits & b.bits[i]!);
}

/** Whether a row of a chunk has a value. */
export function isValid({ validity }: Pick<Chunk, "validity">, row: number): boolean {
  return validity === null || ((validity.bits[row >> 3]! >> (row & 7)) & 1) === 1;
}

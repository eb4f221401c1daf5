/**
 * Returns decimals of `words` words of 32 bits each as integers of 64 bits.
 * @throws Error if one that is not null does not fit.
 */
export function decimals(
  bytes: Uint8Array,
  words: number,
  rows: number,
  isValue: (row: number) => boolean,
): BigInt64Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const from = new Int32Array(aligned.buffer, aligned.byteOffset, words * rows);
  if (words === 2 && aligned.byteOffset % 8 === 0)
    return new BigInt64Array(aligned.buffer, aligned.byteOffset, rows);
  const values = new BigInt64Array(rows);
  const to = new Int32Array(values.buffer);
  for (let i = 0; i < rows; i++) {
    const at = words * i;
    const low = from[at]!;
    const high = words === 1 ? low >> 31 : from[at + 1]!;
    const sign = high >> 31;
    for (let w = 2; w < words; w++) {
      if (from[at + w] !== sign && isValue(i))
        throw new Error(`the decimal of row ${i} does not fit 64 bits`);
    }
    to[2 * i] = low;
    to[2 * i + 1] = high;
  }
  return values;
}

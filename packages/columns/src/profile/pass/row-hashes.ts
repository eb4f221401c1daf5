import {
  type Chunk,
  type CodesChunk,
  type CountsBatch,
  isValid,
  type StringsChunk,
  type ValuesChunk,
} from "../../table/index.ts";
import { finished, hashOfText, rankHashOfText } from "../values/hash.ts";

/** The words of a null. Their double is a NaN that no value has. */
const NULL = [0x5eed_0b17, 0x7ff4_0000] as const;
/** The upper word of every NaN of a column. */
const NAN = 0x7ff8_0000;
const SEEDS = [0x243f_6a88, 0x85a3_08d3] as const;

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

/**
 * Returns a hash of 64 bits per row, as two words, over the named columns in their order. Rows with equal values have equal
 * hashes: -0 is 0, all NaN are one value, and so are all nulls. A column that the batch does not have is null.
 */
export function rowHashes({ rows, columns }: CountsBatch, names: readonly string[]): Int32Array {
  const hashes = new Int32Array(2 * rows);
  for (let row = 0; row < rows; row++) {
    hashes[2 * row] = SEEDS[0];
    hashes[2 * row + 1] = SEEDS[1];
  }
  for (const name of names) {
    const chunk = columns.find((one) => one.name === name) as Chunk | undefined;
    if (chunk === undefined) for (let row = 0; row < rows; row++) add(hashes, row, ...NULL);
    else if ("values" in chunk) addNumbers(hashes, chunk);
    else if ("strings" in chunk) addStrings(hashes, chunk);
    else addCodes(hashes, chunk);
  }
  return hashes;
}

/** Adds two words by rounds of a Feistel network, which loses none of the 64 bits. */
function add(hashes: Int32Array, row: number, lower: number, upper: number): void {
  let a = hashes[2 * row]! ^ lower;
  let b = hashes[2 * row + 1]! ^ upper;
  a ^= finished(b);
  b ^= finished(a ^ SEEDS[0]);
  a ^= finished(b ^ SEEDS[1]);
  hashes[2 * row] = a;
  hashes[2 * row + 1] = b;
}

function addNumbers(hashes: Int32Array, chunk: ValuesChunk): void {
  const { values, rows, nulls } = chunk;
  const wide =
    values instanceof BigInt64Array || values instanceof BigUint64Array
      ? new Int32Array(values.buffer, values.byteOffset, 2 * values.length)
      : null;
  for (let row = 0; row < rows; row++) {
    if (nulls > 0 && !isValid(chunk, row)) add(hashes, row, ...NULL);
    else if (wide !== null) add(hashes, row, wide[2 * row]!, wide[2 * row + 1]!);
    else {
      const value = values[row] as number;
      // Adding 0 turns -0 into 0.
      double[0] = value + 0;
      if (Number.isNaN(value)) add(hashes, row, 0, NAN);
      else add(hashes, row, words[0]!, words[1]!);
    }
  }
}

function addStrings(hashes: Int32Array, { strings }: StringsChunk): void {
  for (const [row, text] of strings.entries()) {
    if (text === null) add(hashes, row, ...NULL);
    else add(hashes, row, hashOfText(text), rankHashOfText(text));
  }
}

function addCodes(hashes: Int32Array, chunk: CodesChunk): void {
  const { codes, dictionary, rows, nulls } = chunk;
  const known = new Int32Array(2 * dictionary.length);
  for (const [code, text] of dictionary.entries()) {
    known[2 * code] = hashOfText(text);
    known[2 * code + 1] = rankHashOfText(text);
  }
  for (let row = 0; row < rows; row++) {
    const code = codes[row]!;
    if (nulls > 0 && !isValid(chunk, row)) add(hashes, row, ...NULL);
    else add(hashes, row, known[2 * code]!, known[2 * code + 1]!);
  }
}

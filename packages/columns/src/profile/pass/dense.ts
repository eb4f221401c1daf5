import type { SampleType } from "@polybin/core";
import type { ValueArray } from "../../table/index.ts";
import { STEP } from "../limits.ts";

/** Values that are not null. The first ones occur counts[i] times each, those after counts.length once. */
export interface DenseValues {
  readonly values: ValueArray;
  readonly counts: Uint32Array;
}

/** Returns 64-bit integers for a column that is counted as such, and all other arrays as they are. */
export function widened(values: ValueArray, type: SampleType): ValueArray {
  if (type !== "i64" || values instanceof BigInt64Array) return values;
  return BigInt64Array.from(values as ArrayLike<number>, BigInt);
}

const doubles = new Float64Array(STEP);
const words = new Int32Array(doubles.buffer);
/** The bits of a double that are all set for NaN and infinities, in its upper word, and the others of that word. */
const EXPONENT = 0x7ff0_0000;
const UPPER_FRACTION = 0x000f_ffff;

/**
 * Calls `use` with the words of the values, some at a time, and with their counts: the bits of 64-bit integers, or of doubles
 * for all other types. NaN is left out, and -0 is 0.
 * @param counts how often each value occurs. Null: once
 */
export function eachWords(
  values: ValueArray,
  counts: Uint32Array | null,
  use: (words: Int32Array, counts: Uint32Array | null) => void,
): void {
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
    use(new Int32Array(values.buffer, values.byteOffset, 2 * values.length), counts);
    return;
  }
  const isFloat = values instanceof Float32Array || values instanceof Float64Array;
  for (let from = 0; from < values.length; from += STEP) {
    let count = Math.min(STEP, values.length - from);
    doubles.set((values as Float64Array).subarray(from, from + count));
    // The counts of values that are left out close up, too, so these are copies.
    const weights = counts?.slice(from, from + count) ?? null;
    if (isFloat) count = withoutNaN(count, weights);
    use(words.subarray(0, 2 * count), weights?.subarray(0, count) ?? null);
  }
}

function withoutNaN(count: number, weights: Uint32Array | null): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const upper = words[2 * i + 1]!;
    const noNumber =
      (upper & EXPONENT) === EXPONENT && ((upper & UPPER_FRACTION) !== 0 || words[2 * i] !== 0);
    if (noNumber) continue;
    if (weights !== null) weights[kept] = weights[i]!;
    // Adding 0 turns -0 into 0.
    doubles[kept++] = doubles[i]! + 0;
  }
  return kept;
}

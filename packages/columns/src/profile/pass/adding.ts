import type { ValueArray } from "../../table/index.ts";
import { exactDoubles } from "../exact/kernel/index.ts";
import { Moments } from "../exact/moments.ts";
import { TextMoments } from "../exact/text-moments.ts";
import type { ColumnPartial } from "../partial/column-partial.ts";
import { type DenseValues, eachWords } from "./dense.ts";

/** Whether values are added to anything but bins. */
export function hasSums({ moments, values, heavy, calendar }: ColumnPartial): boolean {
  return moments !== null || values !== null || heavy !== null || calendar !== null;
}

/** Adds values to everything but bins: moments, different values, and the calendar. */
export function addSums(column: ColumnPartial, { values: all, counts }: DenseValues): void {
  const single = all.subarray(counts.length);
  addOnce(column, single);
  if (counts.length > 0) addCounted(column, all.subarray(0, counts.length), counts);
}

function addOnce({ moments, values, heavy, calendar }: ColumnPartial, all: ValueArray): void {
  if (all.length === 0) return;
  calendar?.add(all, null);
  if (moments instanceof Moments) moments.add(all);
  if (values !== null) eachWords(all, null, (words) => values.addWords(words, null));
  if (heavy !== null) eachWords(all, null, (words) => heavy.addWords(words, null));
}

function addCounted(
  { moments, values, heavy, calendar }: ColumnPartial,
  all: ValueArray,
  counts: Uint32Array,
): void {
  calendar?.add(all, counts);
  if (moments instanceof Moments) moments.addCounted(numbersOf(all), counts);
  if (values !== null) eachWords(all, counts, (words, some) => values.addWords(words, some));
  if (heavy !== null) eachWords(all, counts, (words, some) => heavy.addWords(words, some));
}

/** Adds values that occur counts[i] times each to bins. They are few, so the engine would gain nothing. */
export function addBins({ bins }: ColumnPartial, { values, counts }: DenseValues): void {
  if (counts.length === 0 || bins === null) return;
  bins.addValues(numbersOf(values.subarray(0, counts.length)) as ArrayLike<number>, counts);
}

/** Adds a string some number of times. */
export function addText(
  { moments, values, heavy, patterns }: ColumnPartial,
  text: string,
  count: number,
): void {
  patterns?.add(text, count);
  if (moments instanceof TextMoments) moments.add(text, count);
  values?.addKey(text, count);
  heavy?.addKey(text, count);
}

/** 64-bit integers as doubles if all of them are exact. All other arrays are as they are. */
function numbersOf(values: ValueArray): ValueArray {
  if (!(values instanceof BigInt64Array || values instanceof BigUint64Array)) return values;
  const doubles = new Float64Array(values.length);
  return exactDoubles(values, doubles) ? doubles : values;
}

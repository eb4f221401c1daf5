import {
  type Chunk,
  type CountsBatch,
  type CountsChunk,
  isValid,
  type ValueArray,
  type ValuesChunk,
} from "../../table/index.ts";
import { addDigits, addDouble, orderOf, productsOf, REACH, unitsOf } from "../exact/float-sums.ts";
import { exactDoubles, type Kernel, type Slot, slotsKernel } from "../exact/kernel/index.ts";
import { FLOAT_UNIT_BITS, type Sums } from "../exact/sums.ts";
import { DIGIT_BITS, MOST_EXPONENT, STEP } from "../limits.ts";
import { codesOf, type PairsPartial } from "../partial/pairs-partial.ts";
import type { ColumnPlan } from "../partial/plan.ts";
import { Codes } from "./codes.ts";

/** The unit of all sums: values are doubles. */
const UNIT = FLOAT_UNIT_BITS;

/** A column in one step of rows. */
interface Column {
  readonly index: number;
  readonly find: Codes;
  /** The codes of all rows of a batch. */
  codes: Uint16Array;
  /** The number of codes. */
  readonly most: number;
  readonly isBoolean: boolean;
  readonly slot: Slot;
  /** The finite values, and 0 in rows without one. */
  readonly values: Float64Array;
  /** The unit of the first digits is 2^exponent. */
  exponent: number;
  /** Rows whose values have no digits here: much smaller than the largest one, or too large or small for products. */
  apart: readonly number[];
  /** Rows with a finite value. */
  count: number;
  /** The sums of all values of the step. */
  sums: Sums;
}

/** Counts all pairs of columns: exact sums of products, and the bins of both. Rows without one of the values are left out. */
export class PairCounter {
  readonly #partial: PairsPartial;
  readonly #kernel: Kernel;
  readonly #columns: readonly Column[];
  #table = new Uint32Array(0);

  /** @param plans the columns of the pass, for their types */
  constructor(partial: PairsPartial, plans: readonly ColumnPlan[]) {
    const { columns } = partial.plan;
    this.#partial = partial;
    this.#kernel = slotsKernel(columns.length);
    this.#columns = columns.map((column, index): Column => {
      const { logical } = plans.find(({ name }) => name === column.name)!;
      return {
        index,
        find: new Codes(column.axis),
        codes: new Uint16Array(0),
        most: codesOf(column),
        isBoolean: logical.kind === "boolean",
        slot: this.#kernel.slots[index]!,
        values: new Float64Array(STEP),
        exponent: 0,
        apart: [],
        count: 0,
        sums: { sum: 0n, squares: 0n },
      };
    });
  }

  /** Adds the rows of a batch. Columns that its table does not have are left out. */
  add({ rows, columns }: CountsBatch): void {
    const { plan } = this.#partial;
    const chunkOf = (name: string) => columns.find((chunk) => chunk.name === name);
    this.#addNulls(plan.nullable.map(chunkOf));
    const present = this.#columns.flatMap((column) => {
      const chunk = chunkOf(plan.columns[column.index]!.name);
      return chunk === undefined
        ? []
        : [{ column, chunk: chunk as ValuesChunk, all: doublesOf(chunk as ValuesChunk) }];
    });
    for (const { column } of present) {
      if (column.codes.length < rows) column.codes = new Uint16Array(rows);
    }
    for (let from = 0; from < rows; from += STEP) {
      const count = Math.min(STEP, rows - from);
      for (const { column, chunk, all } of present) this.#load(column, chunk, all, from, count);
      for (const [i, { column: x }] of present.entries()) {
        for (const { column: y } of present.slice(i + 1)) this.#addPair(x, y, count);
      }
    }
    for (const [i, { column: x }] of present.entries()) {
      for (const { column: y } of present.slice(i + 1)) this.#addCodes(x, y, rows);
    }
  }

  /** Reads a step of a column: its finite values, their codes and digits. */
  #load(column: Column, chunk: ValuesChunk, all: ArrayLike<number>, from: number, count: number): void {
    const { values, codes, find, slot, most, isBoolean } = column;
    let [found, largest] = [0, 0];
    for (let i = 0; i < count; i++) {
      const value = isBoolean ? Number(all[from + i] !== 0) : all[from + i]!;
      const size = Math.abs(value);
      const isHeld = size < Infinity && (chunk.nulls === 0 || isValid(chunk, from + i));
      values[i] = isHeld ? value + 0 : 0;
      slot.weights[i] = isHeld ? 1 : 0;
      codes[from + i] = isHeld ? find.codeOf(value) : most - 1;
      if (!isHeld) continue;
      found++;
      if (size > largest) largest = size;
    }
    column.count = found;
    this.#cut(column, count, largest);
  }

  #cut(column: Column, count: number, largest: number): void {
    const { values, slot } = column;
    const kernel = this.#kernel;
    const order = largest === 0 ? 0 : orderOf(largest);
    // Products of such values are no doubles.
    const isExtreme = Math.abs(order) > MOST_EXPONENT;
    const exponent = (isExtreme ? 0 : order) - DIGIT_BITS;
    const own = kernel.values;
    own.set(count === STEP ? values : values.subarray(0, count));
    column.exponent = exponent;
    column.apart = [];
    if (isExtreme) column.apart = takenOut(own, count, Infinity);
    if (kernel.cut(slot.at, count, 2 ** exponent) === 0) {
      column.apart = takenOut(own, count, 2 ** (order - REACH));
      kernel.cut(slot.at, count, 2 ** exponent);
    }
    column.sums = this.#sumsOf(column, slot, count, () => true);
  }

  /** The sums of a column over the rows in which a slot has the weight 1. */
  #sumsOf(column: Column, weights: Slot, count: number, isIn: (row: number) => boolean): Sums {
    const sums: Sums = { sum: 0n, squares: 0n };
    this.#kernel.masked(column.slot.at, weights.at, count);
    addDigits(sums, UNIT, this.#kernel, column.exponent);
    for (const row of column.apart) if (isIn(row)) addDouble(sums, UNIT, column.values[row]!, 1);
    return sums;
  }

  #addPair(x: Column, y: Column, count: number): void {
    const pair = this.#partial.pairs[this.#placeOf(x.index, y.index)]!;
    if (x.count === 0 || y.count === 0) return;
    const both = (one: Column, other: Column): Sums =>
      other.count === count
        ? one.sums
        : this.#sumsOf(one, other.slot, count, (row) => other.slot.weights[row] === 1);
    for (const [to, from] of [
      [pair.x, both(x, y)],
      [pair.y, both(y, x)],
    ] as const) {
      to.sum += from.sum;
      to.squares += from.squares;
    }
    this.#kernel.products(x.slot.at, y.slot.at, count);
    pair.products += productsOf(this.#kernel, UNIT, x.exponent + y.exponent);
    for (const row of new Set([...x.apart, ...y.apart])) {
      pair.products += unitsOf(x.values[row]!, UNIT) * unitsOf(y.values[row]!, UNIT);
    }
  }

  /** Counts the codes of a batch. Small integers stay in the processor's cache. */
  #addCodes(x: Column, y: Column, rows: number): void {
    const { counts } = this.#partial.pairs[this.#placeOf(x.index, y.index)]!;
    const { codes: a } = x;
    const { codes: b, most: width } = y;
    if (this.#table.length < counts.length) this.#table = new Uint32Array(counts.length);
    const table = this.#table;
    for (let row = 0; row < rows; row++) table[a[row]! * width + b[row]!]!++;
    for (let cell = 0; cell < counts.length; cell++) counts[cell]! += table[cell]!;
    table.fill(0);
  }

  /** The place of the pair of two columns, the first one before the second one. */
  #placeOf(i: number, j: number): number {
    return i * this.#columns.length - (i * (i + 1)) / 2 + (j - i - 1);
  }

  #addNulls(chunks: readonly (Chunk | CountsChunk | undefined)[]): void {
    const bits = chunks.map(nullBits);
    for (const [i, one] of bits.entries()) {
      if (one === null) continue;
      for (const [j, other] of bits.slice(i).entries()) {
        if (other === null) continue;
        const both = commonBits(one, other);
        this.#partial.bothNull[i * bits.length + i + j]! += both;
        if (j > 0) this.#partial.bothNull[(i + j) * bits.length + i]! += both;
      }
    }
  }
}

/** Sets values below a size to 0, and returns their rows. */
function takenOut(values: Float64Array, count: number, size: number): number[] {
  const rows: number[] = [];
  for (let row = 0; row < count; row++) {
    const value = values[row]!;
    if (value === 0 || Math.abs(value) >= size) continue;
    rows.push(row);
    values[row] = 0;
  }
  return rows;
}

/** The values as doubles. 64-bit integers that no double equals become the nearest one. */
function doublesOf({ values }: ValuesChunk): ArrayLike<number> {
  if (!(values instanceof BigInt64Array || values instanceof BigUint64Array)) {
    return values as Exclude<ValueArray, BigInt64Array | BigUint64Array>;
  }
  const doubles = new Float64Array(values.length);
  return exactDoubles(values, doubles) ? doubles : Float64Array.from(values as BigInt64Array, Number);
}

/** A bit for each null of a chunk; null if it has none. */
function nullBits(chunk: Chunk | CountsChunk | undefined): Uint32Array | null {
  if (chunk === undefined || chunk.nulls === 0) return null;
  const words = new Uint32Array(Math.ceil(chunk.rows / 32));
  const bytes = new Uint8Array(words.buffer);
  const { validity } = chunk as Chunk;
  const used = Math.ceil(chunk.rows / 8);
  for (let i = 0; i < used; i++) bytes[i] = ~(validity?.bits[i] ?? 0xff);
  const rest = chunk.rows % 8;
  if (rest > 0) bytes[used - 1]! &= (1 << rest) - 1;
  return words;
}

function commonBits(one: Uint32Array, other: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < one.length; i++) {
    let bits = one[i]! & other[i]!;
    bits -= (bits >>> 1) & 0x5555_5555;
    bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
  }
  return count;
}

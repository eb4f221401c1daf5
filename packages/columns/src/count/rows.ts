import { type JointCounterInput, PolybinError } from "@polybin/core";
import {
  type Batch,
  bothValid,
  type Chunk,
  isValid,
  quoted,
  type ValueArray,
  type ValuesChunk,
} from "../table/index.ts";
import type { Keys } from "./keys.ts";
import type { Picked } from "./pick.ts";

/** Names of the columns that a count reads, each once. */
export function namesOf({ counted, by, mask, weights }: Picked): string[] {
  const all = [...counted, by, mask, ...weights];
  return [...new Set(all.flatMap((column) => column?.name ?? []))];
}

/** The chunks of a batch by their roles. */
export interface Rows {
  readonly counted: readonly ValuesChunk[];
  readonly by: Chunk | null;
  readonly mask: ValuesChunk | null;
  readonly weights: readonly ValuesChunk[];
}

/** Finds the chunks of a batch. @param names those that were read, in their order */
export function rowsOf({ columns }: Pick<Batch, "columns">, names: readonly string[], picked: Picked): Rows {
  const of = (name: string): Chunk => columns[names.indexOf(name)]!;
  const values = (name: string): ValuesChunk => of(name) as ValuesChunk;
  return {
    counted: picked.counted.map(({ name }) => values(name)),
    by: picked.by && of(picked.by.name),
    mask: picked.mask && values(picked.mask.name),
    weights: picked.weights.map(({ name }) => values(name)),
  };
}

/**
 * Returns the input of a counter. A row is left out if the column of the mask is 0 there, or if a column other than that
 * of the groups has no value.
 * @param isList whether the counter takes a list of columns of weights
 * @throws ERR_INPUT for a weight that no double holds
 */
export function inputOf(
  { counted, by, mask, weights }: Rows,
  keys: Keys | null,
  isList: boolean,
): JointCounterInput {
  const bits = bitsOf(counted, mask, weights);
  const own = weights.map((chunk) => ({ input: weightsIn(chunk) }));
  return {
    columns: counted.map(({ values }) => values),
    ...(bits !== null && { mask: { bits } }),
    ...(keys !== null && by !== null && { by: keys.codesOf(by) }),
    ...(weights.length > 0 && { weights: isList ? own : own[0]! }),
  };
}

/** One bit for each row, set if it is counted. Null: all are. */
function bitsOf(
  counted: readonly ValuesChunk[],
  mask: ValuesChunk | null,
  weights: readonly ValuesChunk[],
): Uint8Array | null {
  const { rows } = counted[0]!;
  let bits: Uint8Array | null = mask === null ? null : bitsWhere(mask.values);
  for (const { validity } of [...counted, ...(mask === null ? [] : [mask]), ...weights]) {
    bits = bothValid(bits === null ? null : { bits }, validity);
  }
  // The engine expects exactly one bit per row.
  return bits === null ? null : bits.subarray(0, Math.ceil(rows / BITS));
}

const BITS = 8;

function bitsWhere(values: ValueArray): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / BITS));
  const isWide = values instanceof BigInt64Array || values instanceof BigUint64Array;
  const zero = isWide ? 0n : 0;
  for (let row = 0; row < values.length; row++) {
    if (values[row] !== zero) bits[row >> 3]! |= 1 << (row & 7);
  }
  return bits;
}

/**
 * Returns numbers that the engine adds up: 32-bit floats as they are, and others as doubles. A row without a value has 0,
 * because the engine also checks the weights of rows that a mask leaves out.
 */
function weightsIn(chunk: ValuesChunk): Float32Array | Float64Array {
  const { values, validity, nulls } = chunk;
  const all =
    values instanceof BigInt64Array || values instanceof BigUint64Array ? doublesOf(chunk, values) : values;
  const isFloat = all instanceof Float32Array || all instanceof Float64Array;
  if (isFloat && (validity === null || nulls === 0)) return all;
  const own = all instanceof Float32Array ? Float32Array.from(all) : Float64Array.from(all);
  if (nulls > 0) for (let row = 0; row < own.length; row++) if (!isValid(chunk, row)) own[row] = 0;
  return own;
}

/** @throws ERR_INPUT for an integer that is no double */
function doublesOf(chunk: ValuesChunk, values: BigInt64Array | BigUint64Array): Float64Array {
  const doubles = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    const double = Number(value);
    if (!Number.isSafeInteger(double) && isValid(chunk, row) && BigInt(double) !== value) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected weights that are doubles in ${quoted(chunk.name)} but found ${value}`,
      );
    }
    doubles[row] = double;
  }
  return doubles;
}

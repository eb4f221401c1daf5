import type { ValueArray } from "../../table/index.ts";
import type { DenseValues } from "../pass/dense.ts";

//   slot   | values: SLOT_VALUES x 8 bytes | counts: SLOT_VALUES x 4 bytes |
//
// The calling thread fills a slot, and the thread of a column reads it where it lies.

/** Values of a slot at most. */
export const SLOT_VALUES = 16_384;
const COUNTS_AT = 8 * SLOT_VALUES;
const SLOT_BYTES: number = COUNTS_AT + 4 * SLOT_VALUES;
/** Slots of a thread: while it reads some, others are filled. */
export const SLOTS = 32;

type ArrayOf = new (memory: SharedArrayBuffer, at: number, length: number) => ValueArray;

const TYPES: readonly ArrayOf[] = [
  Uint8Array,
  Int8Array,
  Uint16Array,
  Int16Array,
  Uint32Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
];

/** The contents of a slot. The first `counted` values have counts. */
export interface Filled {
  readonly slot: number;
  /** The place of the array's type in the list above. */
  readonly type: number;
  readonly values: number;
  readonly counted: number;
}

/** Memory of the slots of a thread. */
export function slotsMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(SLOTS * SLOT_BYTES);
}

/** Copies values into a slot, from `from` on. */
export function fillSlot(
  memory: SharedArrayBuffer,
  slot: number,
  { values, counts }: DenseValues,
  from: number,
): Filled {
  const part = values.subarray(from, from + SLOT_VALUES);
  const of = counts.subarray(from, from + SLOT_VALUES);
  const type = TYPES.findIndex((one) => values instanceof one);
  const filled = { slot, type, values: part.length, counted: of.length };
  const to = inSlot(memory, filled);
  (to.values as Float64Array).set(part as Float64Array);
  to.counts.set(of);
  return filled;
}

/** The values that lie in a slot. */
export function inSlot(memory: SharedArrayBuffer, { slot, type, values, counted }: Filled): DenseValues {
  const at = slot * SLOT_BYTES;
  return {
    values: new TYPES[type]!(memory, at, values),
    counts: new Uint32Array(memory, at + COUNTS_AT, counted),
  };
}

import { STEP } from "../../limits.ts";
import { wasm } from "./generated/wasm.ts";

/** The functions of sums.as.ts, which describes them. */
interface Exports {
  promote(count: number): void;
  extent(count: number): void;
  small(count: number): void;
  digits_once(from: number, count: number, unit: number): number;
  digits_weighted(from: number, count: number, unit: number): number;
  extent_whole(count: number, flip: bigint): void;
  near(count: number, base: bigint): void;
  far(count: number, base: bigint): void;
  doubles(count: number, offset: bigint): bigint;
  cut(slot: number, count: number, unit: number): number;
  products(one: number, other: number, count: number): void;
  masked(slot: number, weights: number, count: number): void;
}

/** The kernel that adds up a step of values, and views of its memory. */
export interface Kernel extends Exports {
  readonly values: Float64Array;
  /** The same memory as `values`. */
  readonly words: Int32Array;
  readonly weights: Float64Array;
  readonly floats: Float32Array;
  /** Results. */
  readonly sums: Float64Array;
  readonly signed: BigInt64Array;
  readonly unsigned: BigUint64Array;
  readonly slots: readonly Slot[];
}

/** A place for the digits of a column, and for its weights, which are 0 or 1. */
export interface Slot {
  readonly at: number;
  readonly weights: Float64Array;
}

/** Numbers of a result at most. */
const RESULTS = 16;

let opened: Kernel | null = null;

/** Returns the kernel of this thread. Calls share its memory. */
export function kernel(): Kernel {
  opened ??= open(0);
  return opened;
}

/** Opens a kernel with memory of its own for some slots. */
export function slotsKernel(slots: number): Kernel {
  return open(slots);
}

/** Bytes of a page of WebAssembly's memory. */
const PAGE = 65_536;

function open(slots: number): Kernel {
  const bytes = Uint8Array.from(atob(wasm), (char) => char.charCodeAt(0));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
  const memory = exports.memory as WebAssembly.Memory;
  const at = (name: string): number => (exports[name] as WebAssembly.Global).value as number;
  const [first, size] = [at("SLOTS"), at("SLOT_BYTES")];
  if (slots > 0) memory.grow(Math.ceil((first + slots * size) / PAGE));
  const { buffer } = memory;
  return {
    slots: Array.from({ length: slots }, (_, i) => {
      const slot = first + i * size;
      return { at: slot, weights: new Float64Array(buffer, slot + (4 * size) / 5, STEP) };
    }),
    ...(exports as unknown as Exports),
    values: new Float64Array(buffer, at("VALUES"), STEP),
    words: new Int32Array(buffer, at("VALUES"), 2 * STEP),
    weights: new Float64Array(buffer, at("WEIGHTS"), STEP),
    floats: new Float32Array(buffer, at("FLOATS"), STEP),
    sums: new Float64Array(buffer, at("OUT"), RESULTS),
    signed: new BigInt64Array(buffer, at("OUT"), RESULTS),
    unsigned: new BigUint64Array(buffer, at("OUT"), RESULTS),
  };
}

/** Integers from -EXACT on and below EXACT are exact as doubles. */
const EXACT = 1n << 53n;

/** Writes 64-bit integers as doubles if all of them are exact. Returns false if they are not. */
export function exactDoubles(values: BigInt64Array | BigUint64Array, exact: Float64Array): boolean {
  const step = kernel();
  const isSigned = values instanceof BigInt64Array;
  const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  for (let from = 0; from < values.length; from += STEP) {
    const count = Math.min(STEP, values.length - from);
    step.words.set(words.subarray(2 * from, 2 * (from + count)));
    const bits = BigInt.asUintN(64, step.doubles(count, isSigned ? EXACT : 0n));
    if (bits >= (isSigned ? 2n * EXACT : EXACT)) return false;
    exact.set(step.values.subarray(0, count), from);
  }
  return true;
}

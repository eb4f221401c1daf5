import { expected, MAX_SAMPLES } from "../base/index.ts";
import { nameOfArray } from "../input/index.ts";
import { ROUNDING, S32_MAX, WEIGHT_ADDENDS } from "./limits.ts";

/**
 * How weights are added up: "reproducible" as integers, with the same bits everywhere; "fast" as floats, within a
 * tolerance.
 */
export type Precision = (typeof PRECISIONS)[number];
export const PRECISIONS = ["reproducible", "fast"] as const;

/** Weights as the user passes them, one per document. Arrays other than a Float32Array are rounded to 32-bit floats. */
export type Weights = Float32Array | Float64Array | readonly number[];

/**
 * Returns weights as 32-bit floats. A Float32Array that no other thread can change is returned without a copy, so the
 * caller must read it immediately.
 * @throws ERR_INPUT for a wrong number of weights, or one that is not finite.
 */
export function checkedWeights(given: unknown, documents: number): Float32Array {
  const weights = checkedArray(given, documents, "one per document", "weights");
  const isOwn =
    nameOfArray(weights as ArrayBufferView) === "Float32Array" && !isShared(weights as Float32Array);
  return allFinite(isOwn ? (weights as Float32Array) : new Float32Array(weights), weights, "weights");
}

/**
 * Returns the weights of samples where they lie, and a plain array as doubles. They may be infinite or NaN.
 * @param name their name in errors
 * @throws ERR_INPUT for a wrong number of weights
 */
export function givenWeights(given: unknown, samples: number, name: string): Float32Array | Float64Array {
  const weights = checkedArray(given, samples, "one per sample", name);
  if (!ArrayBuffer.isView(weights)) return new Float64Array(weights);
  const { buffer, byteOffset, length } = weights;
  // The array may come from another realm.
  const Own = nameOfArray(weights) === "Float32Array" ? Float32Array : Float64Array;
  return new Own(buffer as ArrayBuffer, byteOffset, length);
}

/**
 * Copies the weights of samples. 32-bit floats stay 32-bit floats; other numbers become doubles.
 * @throws ERR_INPUT for a wrong number of weights, or one that is not finite.
 */
export function ownWeights(given: unknown, samples: number, name = "weights"): Float32Array | Float64Array {
  const weights = checkedArray(given, samples, "one per sample", name);
  const isNarrow = ArrayBuffer.isView(weights) && nameOfArray(weights) === "Float32Array";
  return allFinite(isNarrow ? new Float32Array(weights) : new Float64Array(weights), weights, name);
}

/** @throws ERR_INPUT */
function checkedArray(weights: unknown, count: number, which: string, name: string): Weights {
  if (!isWeights(weights)) {
    throw expected("ERR_INPUT", name, "a Float32Array, a Float64Array or an array of numbers", weights);
  }
  if (weights.length !== count) {
    throw expected("ERR_INPUT", `${name}.length`, `${count}, ${which},`, weights.length);
  }
  const wrong = Array.isArray(weights) ? weights.findIndex((weight) => typeof weight !== "number") : -1;
  if (wrong >= 0) throw expected("ERR_INPUT", `${name}[${wrong}]`, "a number", weights[wrong]);
  return weights;
}

/** @throws ERR_INPUT with the weight as it was given. */
function allFinite<T extends Float32Array | Float64Array>(weights: T, given: Weights, name: string): T {
  if (Number.isFinite(largest(weights))) return weights;
  const infinite = weights.findIndex((weight) => !Number.isFinite(weight));
  const what = weights instanceof Float32Array ? "a finite 32-bit float" : "a finite number";
  throw expected("ERR_INPUT", `${name}[${infinite}]`, what, given[infinite]);
}

function isShared({ buffer }: ArrayBufferView): boolean {
  return Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]";
}

/** Accepts arrays of this realm and of others. */
function isWeights(value: unknown): value is Weights {
  if (!ArrayBuffer.isView(value)) return Array.isArray(value);
  return ["Float32Array", "Float64Array"].includes(nameOfArray(value) ?? "");
}

/** Returns the largest |weight|, or an infinity or NaN if there is one. */
export function largest(weights: Float32Array | Float64Array): number {
  if (weights instanceof Float32Array) return largestFloat(weights);
  let a = 0;
  let b = 0;
  const whole = weights.length - (weights.length % 2);
  for (let i = 0; i < whole; i += 2) {
    a = Math.max(a, Math.abs(weights[i]!));
    b = Math.max(b, Math.abs(weights[i + 1]!));
  }
  return Math.max(a, b, whole < weights.length ? Math.abs(weights[whole]!) : 0);
}

/**
 * Compares the bits of floats without their sign, which is faster. They are ordered like the floats, with infinity
 * and then NaN last. Four independent chains of comparisons overlap.
 */
function largestFloat(weights: Float32Array): number {
  const bits = new Int32Array(weights.buffer, weights.byteOffset, weights.length);
  const whole = bits.length - (bits.length % 4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < whole; i += 4) {
    a = Math.max(a, bits[i]! & S32_MAX);
    b = Math.max(b, bits[i + 1]! & S32_MAX);
    c = Math.max(c, bits[i + 2]! & S32_MAX);
    d = Math.max(d, bits[i + 3]! & S32_MAX);
  }
  for (let i = whole; i < bits.length; i++) a = Math.max(a, bits[i]! & S32_MAX);
  return new Float32Array(Int32Array.of(Math.max(a, b, c, d)).buffer)[0]!;
}

/**
 * Returns the largest integer that a weight may become with this number of documents. The sum of any WEIGHT_ADDENDS
 * weights then fits 32 bits, and the sum of all is below 2^53, which a double holds exactly.
 */
export function largestInteger(documents: number): number {
  const addends = Math.max(1, Math.min(documents, WEIGHT_ADDENDS));
  return Math.min(Math.floor(S32_MAX / addends), Math.floor(MAX_SAMPLES / Math.max(1, documents)));
}

/** Rounds |x| < 2^51 to the nearest integer, ties to even, so that opposite weights cancel. Never -0. */
export function roundHalfEven(x: number): number {
  return x + ROUNDING - ROUNDING;
}

/** Returns 2^n exactly, without a library's power function, from the smallest double, 2^-1074, on. */
export function powerOfTwo(n: number): number {
  const factor = n < 0 ? 1 / 2 : 2;
  let power = 1;
  for (let i = 0; i < Math.abs(n); i++) power *= factor;
  return power;
}

/** Returns the smallest n with x < 2^n, for any positive double. */
export function binaryOrder(x: number): number {
  // The logarithm may be off by a rounding, so start below.
  let order = Math.floor(Math.log2(x)) - 1;
  while (x >= powerOfTwo(order)) order++;
  return order;
}

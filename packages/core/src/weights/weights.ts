import { expected, MAX_SAMPLES } from "../base/index.ts";
import { nameOfArray } from "../input/index.ts";
import { ROUNDING, S32_MAX, WEIGHT_ADDENDS } from "./limits.ts";

/** How weights are added up: as integers, the same bits everywhere, or as floats, within a tolerance. */
export type Precision = "reproducible" | "fast";

/** Weights as a user has them, one a document; what is no Float32Array is rounded to 32-bit floats. */
export type Weights = Float32Array | Float64Array | readonly number[];

/**
 * 32-bit floats: the caller's own array where it is one that no other thread can change, to be read at once.
 * @throws ERR_INPUT for a wrong number of them, or one that is not finite.
 */
export function checkedWeights(given: unknown, documents: number): Float32Array {
  const weights = checkedArray(given, documents, "one a document");
  const isOwn =
    nameOfArray(weights as ArrayBufferView) === "Float32Array" && !isShared(weights as Float32Array);
  return allFinite(isOwn ? (weights as Float32Array) : new Float32Array(weights), weights);
}

/**
 * A copy of the weights of samples: of 32-bit floats as such, of others as doubles.
 * @throws ERR_INPUT for a wrong number of them, or one that is not finite.
 */
export function ownWeights(given: unknown, samples: number): Float32Array | Float64Array {
  const weights = checkedArray(given, samples, "one a sample");
  const isNarrow = ArrayBuffer.isView(weights) && nameOfArray(weights) === "Float32Array";
  return allFinite(isNarrow ? new Float32Array(weights) : new Float64Array(weights), weights);
}

/** @throws ERR_INPUT */
function checkedArray(weights: unknown, count: number, which: string): Weights {
  if (!isWeights(weights)) {
    throw expected("ERR_INPUT", "weights", "a Float32Array, a Float64Array or an array of numbers", weights);
  }
  if (weights.length !== count) {
    throw expected("ERR_INPUT", "weights.length", `${count}, ${which},`, weights.length);
  }
  const wrong = Array.isArray(weights) ? weights.findIndex((weight) => typeof weight !== "number") : -1;
  if (wrong >= 0) throw expected("ERR_INPUT", `weights[${wrong}]`, "a number", weights[wrong]);
  return weights;
}

/** @throws ERR_INPUT that shows the weight as it was given. */
function allFinite<T extends Float32Array | Float64Array>(weights: T, given: Weights): T {
  if (Number.isFinite(largest(weights))) return weights;
  const infinite = weights.findIndex((weight) => !Number.isFinite(weight));
  const what = weights instanceof Float32Array ? "a finite 32-bit float" : "a finite number";
  throw expected("ERR_INPUT", `weights[${infinite}]`, what, given[infinite]);
}

function isShared({ buffer }: ArrayBufferView): boolean {
  return Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]";
}

/** An array of this realm or another? */
function isWeights(value: unknown): value is Weights {
  if (!ArrayBuffer.isView(value)) return Array.isArray(value);
  return ["Float32Array", "Float64Array"].includes(nameOfArray(value) ?? "");
}

/** The largest |weight|; infinite or NaN where one is. */
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
 * Floats without their sign are in the order of their bits, infinity and then NaN last, which are compared faster; four
 * chains of comparisons overlap.
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
 * The largest integer that a weight may become when there are so many documents: any WEIGHT_ADDENDS weights then have
 * a sum that 32 bits hold, and all of them one below 2^53, which a double holds exactly.
 */
export function largestInteger(documents: number): number {
  const addends = Math.max(1, Math.min(documents, WEIGHT_ADDENDS));
  return Math.min(Math.floor(S32_MAX / addends), Math.floor(MAX_SAMPLES / Math.max(1, documents)));
}

/** The nearest integer, of two the even one, so that q(-w) = -q(w) and halves cancel; for |x| below 2^51. Never -0. */
export function roundHalfEven(x: number): number {
  return x + ROUNDING - ROUNDING;
}

/** 2^n, exactly, without trusting a library's power; from the least double, 2^-1074, on. */
export function powerOfTwo(n: number): number {
  const factor = n < 0 ? 1 / 2 : 2;
  let power = 1;
  for (let i = 0; i < Math.abs(n); i++) power *= factor;
  return power;
}

/** The least n with x < 2^n, of any positive double. */
export function binaryOrder(x: number): number {
  // A logarithm may be off by a rounding: begin below.
  let order = Math.floor(Math.log2(x)) - 1;
  while (x >= powerOfTwo(order)) order++;
  return order;
}

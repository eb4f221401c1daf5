import { codeOfValue, edgesOf, isClosed, NAN, type OrderedAxis, OVERFLOW, UNDERFLOW } from "../axis/index.ts";
import { BYTE_VALUES, HALF_VALUES } from "../base/index.ts";
import { arrayOver, bitsOf, SAMPLE_TRAITS, type SampleArray, type SampleType } from "../input/index.ts";
import { firstKeyAtLeast, key32, keyOf, lastKeyAtMost, type WideType } from "./keys.ts";
import { GUESS_CELLS } from "./limits.ts";

export { codeOfValue, NAN, OVERFLOW, UNDERFLOW };

/**
 * Defines how a sample finds its code. Core computes it once for every backend.
 *
 * A *code* is the integer that a kernel counts:
 *
 *   0 … bins-1 | bins       | bins+1    | bins+2
 *   the bins   | underflow  | overflow  | NaN
 *
 * Kernels compare only integers, so every device finds the same code.
 */
export type Lowering = DirectLowering | TableLowering | KeysLowering | ConstantLowering;

interface LoweringBase {
  readonly type: SampleType;
  readonly bins: number;
  /** Whether a sample of this type can fall outside the bins. If not, a kernel need not check. */
  readonly flow: boolean;
}

/** code = sample - start, with underflow and overflow outside the bins. For integer samples of 16 and 32 bits. */
export interface DirectLowering extends LoweringBase {
  readonly kind: "direct";
  readonly start: number;
}

/** code = table[bits of the sample], with 256 entries for 8-bit samples and 65,536 for 16-bit ones. */
export interface TableLowering extends LoweringBase {
  readonly kind: "table";
  readonly table: Uint32Array;
}

/**
 * Finds the codes of 32- and 64-bit samples by their order-preserving keys (keys.ts).
 *
 *   NaN                      key < nanBelow or key > nanAbove
 *   underflow                key < thresholds[0]
 *   overflow                 key > last
 *   bin b                    thresholds[b] <= key < thresholds[b + 1]
 *
 * `thresholds` may hold fewer than `bins` keys. The missing bins lie beyond the sample type's range. Two equal
 * thresholds leave the bin between them empty.
 */
export interface KeysLowering extends LoweringBase {
  readonly kind: "keys";
  readonly type: WideType;
  /** 32-bit words per key: 1, or 2 for f64. */
  readonly words: 1 | 2;
  /** Low words of the first key of each bin. */
  readonly thresholds: Uint32Array;
  /** High words of the first key of each bin; null for one-word keys. */
  readonly thresholdsHigh: Uint32Array | null;
  readonly last: Key;
  readonly nanBelow: Key;
  readonly nanAbove: Key;
  readonly guess: Guess;
}

/** The low and high 32-bit words of a key. `high` is 0 for one-word keys. */
export interface Key {
  readonly low: number;
  readonly high: number;
}

/** The start of the search for a bin. Any start gives the right bin; a near one is fast. */
export type Guess =
  /** bin = (sample - lo) * scale, in arithmetic of any precision, for evenly spaced edges a normal number apart. */
  | { readonly kind: "linear"; readonly lo: number; readonly scale: number }
  /**
   * cell = (high word of the key - base) >> shift. The bin lies in [starts[cell], starts[cell + 1]]. This divides the
   * keys' range evenly and works for any edges. One-word keys use their only word.
   */
  | { readonly kind: "cells"; readonly base: number; readonly shift: number; readonly starts: Uint32Array };

/** All samples of this type have the same code on this axis. */
export interface ConstantLowering extends LoweringBase {
  readonly kind: "constant";
  readonly code: number;
}

/**
 * Creates the lowering of an axis for a sample type.
 * @throws ERR_AXIS if regular edges are equal in the samples' precision.
 */
export function lower(axis: OrderedAxis, type: SampleType): Lowering {
  const traits = SAMPLE_TRAITS[type];
  if (traits.bytes === 1) return tableLowering(axis, type);
  if (axis.type === "integer" && traits.integer && axis.start >= traits.min && axis.stop <= traits.max + 1) {
    const flow = axis.start > traits.min || axis.stop <= traits.max;
    return { kind: "direct", type, bins: axis.bins, flow, start: axis.start };
  }
  if (traits.bytes === 2) return tableLowering(axis, type);
  return keysLowering(axis, type as WideType);
}

/** Creates the lowering of an axis for samples of 8 or 16 bits. @throws ERR_AXIS as `lower` */
export function tableLowering(axis: OrderedAxis, type: SampleType): TableLowering {
  const edges = edgesOf(axis, type);
  const values = SAMPLE_TRAITS[type].bytes === 1 ? BYTE_VALUES : HALF_VALUES;
  const bits = Uint16Array.from({ length: values }, (_, i) => i);
  const bytes = values === BYTE_VALUES ? Uint8Array.from(bits) : new Uint8Array(bits.buffer);
  const all = arrayOver(type, bytes);
  const table = new Uint32Array(values);
  for (let i = 0; i < values; i++) table[i] = codeOfValue(axis, edges, all[i]!);
  return { kind: "table", type, bins: axis.bins, flow: table.some((code) => code >= axis.bins), table };
}

function keysLowering(axis: OrderedAxis, type: WideType): Lowering {
  const { bins } = axis;
  const edges = edgesOf(axis, type);
  const isFloat = !SAMPLE_TRAITS[type].integer;
  const constant = (code: number): ConstantLowering => ({ kind: "constant", type, bins, flow: true, code });
  const lastKey = lastKeyAtMost(type, edges[bins]!, !isClosed(axis));
  if (lastKey === null) return constant(bins + OVERFLOW);
  const keys: bigint[] = [];
  for (let i = 0; i < bins; i++) {
    const key = firstKeyAtLeast(type, edges[i]!);
    if (key === null) break;
    keys.push(key);
  }
  if (keys.length === 0) return constant(bins + UNDERFLOW);
  const words = type === "f64" ? 2 : 1;
  const top = words === 2 ? (1n << 64n) - 1n : (1n << 32n) - 1n;
  const nanBelow = isFloat ? keyOf(type, -Infinity) : 0n;
  const nanAbove = isFloat ? keyOf(type, Infinity) : top;
  return {
    kind: "keys",
    type,
    bins,
    flow: isFloat || keys[0]! > 0n || lastKey < top,
    words,
    thresholds: Uint32Array.from(keys, lowWord),
    thresholdsHigh: words === 2 ? Uint32Array.from(keys, highWord) : null,
    last: split(lastKey),
    nanBelow: split(nanBelow),
    nanAbove: split(nanAbove),
    guess:
      axis.type === "variable" || (edges[bins]! - edges[0]!) / bins < leastNormal(type)
        ? cellGuess(keys, lastKey, words)
        : { kind: "linear", lo: edges[0]!, scale: bins / (edges[bins]! - edges[0]!) },
  };
}

/** Bins narrower than this have no finite or no precise scale in the arithmetic of the guess. */
function leastNormal(type: WideType): number {
  return type === "f64" ? 2 ** -1022 : 2 ** -126;
}

function cellGuess(keys: readonly bigint[], last: bigint, words: 1 | 2): Guess {
  const leading = words === 2 ? highWord : lowWord;
  const base = leading(keys[0]!);
  const span = Math.max(0, leading(last) - base);
  let shift = 0;
  while (Math.floor(span / 2 ** shift) >= GUESS_CELLS) shift++;
  const cells = Math.floor(span / 2 ** shift) + 1;
  const starts = new Uint32Array(cells + 1);
  let bin = 0;
  for (let cell = 0; cell < cells; cell++) {
    const cellKey = BigInt(base) + (BigInt(cell) << BigInt(shift));
    const first = words === 2 ? cellKey << 32n : cellKey;
    while (bin + 1 < keys.length && keys[bin + 1]! <= first) bin++;
    starts[cell] = bin;
  }
  starts[cells] = keys.length - 1;
  return { kind: "cells", base, shift, starts };
}

const lowWord = (key: bigint): number => Number(key & 0xffff_ffffn);
const highWord = (key: bigint): number => Number(key >> 32n);
const split = (key: bigint): Key => ({ low: lowWord(key), high: highWord(key) });

/**
 * Writes the codes of every `stride`-th sample, starting at `first`. This is the executable specification of a
 * kernel's lowering. `out` must have room for one code per sample.
 * @returns the number of codes written.
 */
export function lowerInto(
  lowering: Lowering,
  array: SampleArray,
  first: number,
  stride: number,
  out: Uint32Array,
): number {
  const count = array.length > first ? Math.ceil((array.length - first) / stride) : 0;
  switch (lowering.kind) {
    case "constant":
      out.fill(lowering.code, 0, count);
      break;
    case "direct":
      directInto(lowering, array, first, stride, out);
      break;
    case "table": {
      const { table } = lowering;
      const bits = bitsOf(array);
      for (let i = 0, at = first; i < count; i++, at += stride) out[i] = table[bits[at]!]!;
      break;
    }
    case "keys":
      if (lowering.words === 1) keysInto(lowering, array, first, stride, out);
      else wideKeysInto(lowering, array as Float64Array, first, stride, out);
  }
  return count;
}

function directInto(
  { start, bins }: DirectLowering,
  array: SampleArray,
  first: number,
  stride: number,
  out: Uint32Array,
): void {
  const end = array.length;
  for (let i = 0, at = first; at < end; i++, at += stride) {
    const bin = array[at]! - start;
    out[i] = bin < 0 ? bins + UNDERFLOW : bin >= bins ? bins + OVERFLOW : bin;
  }
}

function keysInto(
  lowering: KeysLowering,
  array: SampleArray,
  first: number,
  stride: number,
  out: Uint32Array,
): void {
  const { thresholds, bins, guess } = lowering;
  const type = lowering.type as "u32" | "i32" | "f32";
  const last = lowering.last.low;
  const nanBelow = lowering.nanBelow.low;
  const nanAbove = lowering.nanAbove.low;
  const bits = bitsOf(array);
  const end = array.length;
  for (let i = 0, at = first; at < end; i++, at += stride) {
    const key = key32(type, bits[at]!);
    if (key < nanBelow || key > nanAbove) out[i] = bins + NAN;
    else if (key < thresholds[0]!) out[i] = bins + UNDERFLOW;
    else if (key > last) out[i] = bins + OVERFLOW;
    else {
      let bin =
        guess.kind === "linear"
          ? linearGuess(guess, array[at]!, thresholds.length)
          : cellSearch(guess, key, (candidate) => thresholds[candidate]! <= key);
      while (thresholds[bin]! > key) bin--;
      while (bin + 1 < thresholds.length && thresholds[bin + 1]! <= key) bin++;
      out[i] = bin;
    }
  }
}

function wideKeysInto(
  lowering: KeysLowering,
  array: Float64Array,
  first: number,
  stride: number,
  out: Uint32Array,
): void {
  const { thresholds: low, bins, guess, last, nanBelow, nanAbove } = lowering;
  const high = lowering.thresholdsHigh!;
  const words = bitsOf(array);
  const sign = 0x8000_0000;
  const end = array.length;
  for (let i = 0, at = first; at < end; i++, at += stride) {
    const bitsHigh = words[2 * at + 1]!;
    const negative = bitsHigh & sign;
    const keyHigh = (negative ? ~bitsHigh : bitsHigh | sign) >>> 0;
    const keyLow = (negative ? ~words[2 * at]! : words[2 * at]!) >>> 0;
    if (
      below(keyHigh, keyLow, nanBelow.high, nanBelow.low) ||
      below(nanAbove.high, nanAbove.low, keyHigh, keyLow)
    ) {
      out[i] = bins + NAN;
    } else if (below(keyHigh, keyLow, high[0]!, low[0]!)) out[i] = bins + UNDERFLOW;
    else if (below(last.high, last.low, keyHigh, keyLow)) out[i] = bins + OVERFLOW;
    else {
      let bin =
        guess.kind === "linear"
          ? linearGuess(guess, array[at]!, low.length)
          : cellSearch(
              guess,
              keyHigh,
              (candidate) => !below(keyHigh, keyLow, high[candidate]!, low[candidate]!),
            );
      while (below(keyHigh, keyLow, high[bin]!, low[bin]!)) bin--;
      while (bin + 1 < low.length && !below(keyHigh, keyLow, high[bin + 1]!, low[bin + 1]!)) bin++;
      out[i] = bin;
    }
  }
}

/** Returns true if the first key is less than the second. */
function below(aHigh: number, aLow: number, bHigh: number, bLow: number): boolean {
  return aHigh < bHigh || (aHigh === bHigh && aLow < bLow);
}

function linearGuess(guess: Extract<Guess, { kind: "linear" }>, value: number, bins: number): number {
  const bin = Math.floor((value - guess.lo) * guess.scale);
  return bin < bins ? bin : bins - 1;
}

/** Returns the last bin of the key's cell whose first key is at most the key, by bisection. */
function cellSearch(
  guess: Extract<Guess, { kind: "cells" }>,
  leadingWord: number,
  startsBefore: (bin: number) => boolean,
): number {
  const cell = (leadingWord - guess.base) >>> guess.shift;
  let bin = guess.starts[cell]!;
  let end = guess.starts[cell + 1]!;
  while (bin < end) {
    const middle = (bin + end + 1) >>> 1;
    if (startsBefore(middle)) bin = middle;
    else end = middle - 1;
  }
  return bin;
}

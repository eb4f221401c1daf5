import { isClosed, type OrderedAxis } from "../axis/index.ts";
import { BYTE_VALUES, HALF_VALUES } from "../base/index.ts";
import { bitsOf, type SampleArray } from "../input/index.ts";
import { codeOfValue, limits } from "../lowering/index.ts";
import { addCode, type Counts } from "../result/index.ts";
import { countBytes } from "./bytes.ts";

/** An axis, and its edges in the precision of the samples. */
export interface Binning {
  readonly axis: OrderedAxis;
  readonly edges: Float64Array;
}

/**
 * The sequential oracle. It counts every `stride`-th sample, starting at `first`, directly from the definition of the
 * axis, by comparing values with edges in f64. It shares only the definition with the lowering that kernels use.
 */
export function countSequential(
  to: Counts,
  binning: Binning,
  array: SampleArray,
  first: number,
  stride: number,
): void {
  const width = array.BYTES_PER_ELEMENT;
  if (width === 1 || (width === 2 && array.length >= HALF_VALUES)) {
    countNarrow(to, binning, array, first, stride);
    return;
  }
  const count = binning.axis.type === "regular" ? countRegular : countAny;
  // Steps are whole pixels.
  const most = limits.DOUBLES_AT_ONCE - (limits.DOUBLES_AT_ONCE % stride);
  for (let from = 0; from < array.length; from += most) {
    const some = array.subarray(from, from + most);
    // A loop that always sees the same array type is several times as fast.
    doubles.set(some);
    count(to, binning, first, stride, some.length);
  }
}

/** Samples as doubles, which hold all types. The array is shared because counting is synchronous on one thread. */
const doubles = new Float64Array(limits.DOUBLES_AT_ONCE);

/** Counts the values of 8-bit samples, or of many 16-bit ones, first. Each value then finds its bin once. */
function countNarrow(
  to: Counts,
  { axis, edges }: Binning,
  array: SampleArray,
  first: number,
  stride: number,
): void {
  const table = countBits(array, first, stride);
  const signed = array instanceof Int8Array || array instanceof Int16Array;
  const values = table.length;
  for (let bits = 0; bits < values; bits++) {
    if (table[bits]! > 0) {
      const value = signed && bits >= values / 2 ? bits - values : bits;
      addCode(to, codeOfValue(axis, edges, value), table[bits]!);
    }
  }
}

/** Counts each bit pattern of an 8- or 16-bit array, with the loop of Figure 1. */
function countBits(array: SampleArray, first: number, stride: number): Float64Array | Uint32Array {
  const bits = bitsOf(array);
  if (bits.BYTES_PER_ELEMENT === 1) {
    const cells = new Float64Array(BYTE_VALUES);
    countBytes([cells], bits as Uint8Array, [first], stride, false);
    return cells;
  }
  const table = new Uint32Array(HALF_VALUES);
  for (let i = first; i < bits.length; i += stride) table[bits[i]!]!++;
  return table;
}

/** Counts over any edges, by bisection. */
function countAny(to: Counts, { axis, edges }: Binning, first: number, stride: number, end: number): void {
  for (let i = first; i < end; i += stride) addCode(to, codeOfValue(axis, edges, doubles[i]!), 1);
}

/** Counts over evenly spaced edges: a division guesses the bin, then the edges decide, as in NumPy. */
function countRegular(
  to: Counts,
  { axis, edges }: Binning,
  first: number,
  stride: number,
  end: number,
): void {
  const { bins } = axis;
  const { counts } = to;
  const lo = edges[0]!;
  const hi = edges[bins]!;
  const scale = bins / (hi - lo);
  const closed = isClosed(axis);
  for (let i = first; i < end; i += stride) {
    const value = doubles[i]!;
    if (value >= lo && (value < hi || (closed && value === hi))) {
      const guess = Math.floor((value - lo) * scale);
      let bin = guess < bins ? guess : bins - 1;
      if (edges[bin]! > value) bin--;
      else if (bin + 1 < bins && edges[bin + 1]! <= value) bin++;
      // Among denormal numbers a guess may be far from the bin. Then the search starts again without it.
      if (edges[bin]! > value || (bin + 1 < bins && edges[bin + 1]! <= value)) {
        bin = codeOfValue(axis, edges, value);
      }
      counts[bin] = counts[bin]! + 1;
    } else if (value < lo) to.underflow++;
    else if (value >= hi) to.overflow++;
    else to.nan++;
  }
}

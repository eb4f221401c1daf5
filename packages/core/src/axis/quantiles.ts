import { adviceFor, expected } from "../base/index.ts";
import { ARRAY_TYPES, checkedWhole, nameOfArray, type SampleArray } from "../input/index.ts";
import { checkedBins, type VariableAxis, variable } from "./axis.ts";

/**
 * Creates an axis whose bins hold about the same number of values. Boosted trees bin their features this way. Equal
 * values share a bin, so the axis has min(bins, distinct values) bins.
 *
 * The bins are filled from the left. Each bin aims at the remaining values divided by the remaining bins. It takes
 * the number of groups of equal values that comes nearest to that share, and the fewer groups in a tie. Each bin
 * takes at least one group and leaves one for each bin after it. A very frequent value (the zeros of sparse data)
 * therefore does not cost the other values their bins.
 *
 *   edges[0]                the smallest value
 *   edges[1 … bins - 1]     halfway between the largest value on the left and the smallest on the right
 *   edges[bins]             the largest value, which the last bin includes
 *
 * Neighbours without a double between them count as equal. If all values are equal, the axis has one bin, which is
 * widened by 0.5 in each direction as NumPy's range is (by more if rounding loses the 0.5). Without values the axis
 * is [0, 1].
 * @param bins the maximum number of bins.
 * @param values finite numbers in any order. They are not modified.
 * @param zeros the number of additional zeros, which sparse data does not store. Default: 0.
 * @throws ERR_AXIS or ERR_LIMIT for a number of bins that no axis can have.
 * @throws ERR_INPUT if `values` does not hold numbers, or a value is not finite.
 */
export function quantiles(bins: number, values: SampleArray | readonly number[], zeros = 0): VariableAxis {
  const most = checkedBins(bins);
  const { least, largest, counts } = groupsOf(sorted(values, checkedWhole(zeros, "zeros", 0)), zeros);
  const groups = counts.length;
  if (groups === 0) return variable([0, 1]);
  if (groups === 1) return variable(widened(least[0]!, largest[0]!));
  const edges = [least[0]!];
  let group = 0;
  let left = values.length + zeros;
  for (let binsLeft = Math.min(most, groups); binsLeft > 1; binsLeft--) {
    let count = counts[group++]!;
    // In integers: is the count with the next group nearer to left / binsLeft than the count without it?
    while (groups - group >= binsLeft && (2 * count + counts[group]!) * binsLeft < 2 * left) {
      count += counts[group++]!;
    }
    left -= count;
    edges.push(halfway(largest[group - 1]!, least[group]!));
  }
  edges.push(largest[groups - 1]!);
  return variable(edges);
}

/** Returns the values in ascending order, with a single zero added for all `zeros`. */
function sorted(values: SampleArray | readonly number[], zeros: number): Float64Array {
  if (!isNumbers(values)) {
    throw expected("ERR_INPUT", "values", "a typed array of samples or an array of numbers", values, {
      helps: adviceFor(values),
    });
  }
  const out = new Float64Array(values.length + (zeros > 0 ? 1 : 0));
  out.set(values);
  const wrong = out.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) throw expected("ERR_INPUT", `values[${wrong}]`, "a finite number", values[wrong]);
  return out.sort();
}

/** Arrays whose elements are not numbers. */
const INTEGERS_64: readonly (string | undefined)[] = ["BigInt64Array", "BigUint64Array"];

function isNumbers(values: unknown): boolean {
  if (ArrayBuffer.isView(values))
    return !INTEGERS_64.includes(nameOfArray(values)) && ARRAY_TYPES.has(nameOfArray(values));
  return Array.isArray(values) && !values.some((value) => typeof value !== "number");
}

/** Groups of values that always share a bin: the smallest and largest value of each, and the number of values. */
interface Groups {
  readonly least: Float64Array;
  readonly largest: Float64Array;
  readonly counts: Float64Array;
}

function groupsOf(values: Float64Array, zeros: number): Groups {
  const [least, largest, counts] = [0, 0, 0].map(() => new Float64Array(values.length));
  let groups = 0;
  for (const value of values) {
    const middle = groups > 0 ? halfway(largest![groups - 1]!, value) : -Infinity;
    // Adding 0 turns -0 into 0.
    if (groups === 0 || (largest![groups - 1]! < middle && middle < value)) least![groups++] = value + 0;
    largest![groups - 1] = value + 0;
    counts![groups - 1]! += 1;
  }
  if (zeros > 1) {
    const zero = largest!.findIndex((value, i) => i < groups && value >= 0);
    counts![zero]! += zeros - 1;
  }
  return {
    least: least!.subarray(0, groups),
    largest: largest!.subarray(0, groups),
    counts: counts!.subarray(0, groups),
  };
}

/** Returns the double nearest to the middle. If the sum is infinite, halves are exact, as they are not for the smallest. */
function halfway(a: number, b: number): number {
  const sum = a + b;
  return Number.isFinite(sum) ? sum / 2 : a / 2 + b / 2;
}

function widened(least: number, largest: number): [number, number] {
  for (let by = 0.5; ; by *= 2) {
    const lo = Math.max(least - by, -Number.MAX_VALUE);
    const hi = Math.min(largest + by, Number.MAX_VALUE);
    if (lo < hi) return [lo, hi];
  }
}

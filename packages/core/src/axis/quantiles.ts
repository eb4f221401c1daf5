import { adviceFor, expected } from "../base/index.ts";
import { ARRAY_TYPES, checkedWhole, nameOfArray, type SampleArray } from "../input/index.ts";
import { checkedBins, type VariableAxis, variable } from "./axis.ts";

/**
 * An axis whose bins hold about as many values each: how the features of boosted trees are cut into bins. Equal values
 * share a bin, so there are min(bins, different values) bins, no more.
 *
 * From the left, a bin takes its share of the values that are left, left / bins left, or as near to it as groups of
 * equal values come; of two that are as near, the fewer. It takes one group at least, and leaves one for each bin after
 * it. So a value that most have (the zeros of sparse data) costs the others none of their bins.
 *
 *   edges[0]                the least value
 *   edges[1 … bins - 1]     halfway between the largest value on the left and the least on the right
 *   edges[bins]             the largest value, which the last bin holds
 *
 * Neighbours with no double between them count as equal. If all values are equal there is one bin, widened by a half
 * each way as NumPy's range is (by more where a half is lost to rounding); without values it is [0, 1].
 * @param values finite numbers in any order; they stay as they are
 * @param zeros how many zeros there are besides, which sparse data does not write down
 * @throws ERR_AXIS, ERR_LIMIT for bins that no axis has; ERR_INPUT for what are no numbers, or a value that is not finite.
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
    // Nearer with the next group than without: |count + next - left / binsLeft| < |count - left / binsLeft|, in integers.
    while (groups - group >= binsLeft && (2 * count + counts[group]!) * binsLeft < 2 * left) {
      count += counts[group++]!;
    }
    left -= count;
    edges.push(halfway(largest[group - 1]!, least[group]!));
  }
  edges.push(largest[groups - 1]!);
  return variable(edges);
}

/** Ascending, with one zero for all that are not written down. */
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

function isNumbers(values: unknown): boolean {
  if (ArrayBuffer.isView(values)) return ARRAY_TYPES.has(nameOfArray(values));
  return Array.isArray(values) && !values.some((value) => typeof value !== "number");
}

/** Values that share a bin whatever happens: least and largest of each group, and how many there are. */
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
    // Adding 0 makes -0 a plain zero.
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

/** Halves are added, since a sum of two doubles may be infinite. */
function halfway(a: number, b: number): number {
  return a / 2 + b / 2;
}

function widened(least: number, largest: number): [number, number] {
  for (let by = 0.5; ; by *= 2) {
    const lo = Math.max(least - by, -Number.MAX_VALUE);
    const hi = Math.min(largest + by, Number.MAX_VALUE);
    if (lo < hi) return [lo, hi];
  }
}

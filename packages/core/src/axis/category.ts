import { expected, FLOW_ROWS } from "../base/index.ts";
import { SAMPLE_TRAITS, type SampleType } from "../input/index.ts";
import { checkedBins, integer, own, variable } from "./axis.ts";
import { defineKind, type Intervals, NAN, OVERFLOW } from "./kinds.ts";
import { MAX_BINS } from "./limits.ts";
import { nextUp } from "./next-up.ts";
import type { BooleanAxis, CategoryAxis } from "./types.ts";

/**
 * Creates an axis with one bin per value, in the given order. All other samples are unknown, NaN among them, and are
 * counted as overflow, as boost-histogram does.
 * @param values different integers, or the different strings of a dictionary. With strings, the samples are the codes
 * 0, 1, … of the dictionary, as Arrow and Parquet store them.
 * @throws ERR_AXIS unless there is at least one value, and all are different safe integers or different strings.
 * @throws ERR_LIMIT above 65,536 values.
 */
export function category(values: ArrayLike<number> | readonly string[]): CategoryAxis {
  return categoryFrom(values, 0);
}

/** Creates an axis whose strings have the codes from `firstCode` on. @throws as `category` does */
export function categoryFrom(
  values: CategoryAxis["values"] | ArrayLike<number>,
  firstCode: number,
): CategoryAxis {
  if (values === null || typeof values !== "object" || !(values.length >= 1)) {
    throw expected("ERR_AXIS", "values", "at least one integer or string", values);
  }
  const bins = checkedBins(values.length);
  const copy = Array.from<unknown, unknown>(values, (value) => (value === 0 ? 0 : value));
  const areStrings = typeof copy[0] === "string";
  const seen = new Set<unknown>();
  for (const [i, value] of copy.entries()) {
    const fits = areStrings ? typeof value === "string" : Number.isSafeInteger(value);
    if (!fits || seen.has(value)) {
      const what = areStrings ? "a string" : "an integer";
      throw expected("ERR_AXIS", `values[${i}]`, `${what} that is not listed before`, value);
    }
    seen.add(value);
  }
  const axis = { type: "category", bins, values: Object.freeze(copy) as CategoryAxis["values"] } as const;
  if (firstCode === 0) return own<CategoryAxis>(axis);
  if (!areStrings || !Number.isSafeInteger(firstCode) || firstCode < 0) {
    throw expected("ERR_AXIS", "firstCode", areStrings ? "a whole number" : "0 for integers", firstCode);
  }
  return own<CategoryAxis>({ ...axis, firstCode });
}

/**
 * Creates an axis with two bins: 0 is false, and every other number is true. NaN is neither, and is counted as NaN.
 */
export function boolean(): BooleanAxis {
  return own<BooleanAxis>({ type: "boolean", bins: 2 });
}

/** Edges of bins without a width of their own: 0, 1, …, bins. */
const indexEdges = ({ bins }: CategoryAxis | BooleanAxis): Float64Array =>
  Float64Array.from({ length: bins + 1 }, (_, i) => i);

defineKind<CategoryAxis>("category", {
  names: ["type", "bins", "values", "firstCode"],
  isClosed: false,
  rebuilt: ({ values, firstCode = 0 }) => categoryFrom(values, firstCode),
  isSame: (a, b) => a.firstCode === b.firstCode && a.values.every((value, i) => value === b.values[i]),
  edges: indexEdges,
  intervals: categoryIntervals,
});

defineKind<BooleanAxis>("boolean", {
  names: ["type", "bins"],
  isClosed: false,
  rebuilt: boolean,
  isSame: () => true,
  edges: indexEdges,
  intervals: (axis, type) => {
    const after = afterOf(type)(0);
    const zero = after === 1 ? integer(0, 1) : variable([0, after], { closed: false });
    // The bin, underflow, overflow, NaN.
    return { axis: zero, codes: Uint32Array.of(0, 1, 1, axis.bins + NAN), period: null };
  },
});

/** Returns the function from a value to the first f64 that no sample equal to the value reaches. */
function afterOf(type: SampleType): (value: number) => number {
  return SAMPLE_TRAITS[type].integer ? (value) => value + 1 : nextUp;
}

/**
 * Each value is an interval that holds nothing else; intervals of unknown values lie between them.
 *
 *   values 7, 3, 4 of integers     edges  3 | 4 | 5    | 7 | 8
 *                                  codes   1   2  unknown 0
 */
function categoryIntervals({ bins, values, firstCode = 0 }: CategoryAxis, type: SampleType): Intervals {
  const unknown = bins + OVERFLOW;
  const after = afterOf(type);
  const numbers =
    typeof values[0] === "string" ? values.map((_, i) => firstCode + i) : (values as readonly number[]);
  const order = Uint32Array.from(numbers, (_, i) => i).sort((a, b) => numbers[a]! - numbers[b]!);
  const edges: number[] = [];
  const codes: number[] = [];
  for (const bin of order) {
    const value = numbers[bin]!;
    if (edges.at(-1) !== value) {
      if (edges.length > 0) codes.push(unknown);
      edges.push(value);
    }
    codes.push(bin);
    edges.push(after(value));
  }
  if (codes.length > MAX_BINS) {
    const what = `values with at most ${MAX_BINS - bins} gaps, since each gap takes a bin of a device`;
    throw expected("ERR_LIMIT", "values", what, codes.length - bins);
  }
  const [first, last] = [edges[0]!, edges.at(-1)!];
  // An integer axis needs integers at both ends, and between floats that follow one another lie no integers.
  const isWhole = SAMPLE_TRAITS[type].integer && last - first === codes.length;
  return {
    axis: isWhole ? integer(first, last) : variable(edges, { closed: false }),
    codes: Uint32Array.from([...codes, ...new Array<number>(FLOW_ROWS).fill(unknown)]),
    period: null,
  };
}

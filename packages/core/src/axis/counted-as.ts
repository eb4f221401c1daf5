import { HALF_VALUES } from "../base/index.ts";
import { SAMPLE_TRAITS, type SampleType } from "../input/index.ts";
import { edgesOf, isClosed, variable } from "./axis.ts";
import { codeOfValue } from "./code-of-value.ts";
import { type Intervals, intervalsOf } from "./kinds.ts";
import type { Axis, OrderedAxis } from "./types.ts";

/** Samples and an axis that a device counts in place of others. Devices count eight types over ordered axes. */
export interface CountedAs {
  readonly axis: OrderedAxis;
  /** Type of the samples that the device counts. */
  readonly type: SampleType;
  /** The code on the caller's axis of each code on `axis`: bins, underflow, overflow, NaN. Null: they are equal. */
  readonly codes: Uint32Array | null;
  /** How this thread converts the samples to f64 first. Null: the device counts them as they are. */
  readonly reduction: Reduction | null;
}

/** A conversion of samples to f64 that leaves each of them in its bin. */
export interface Reduction {
  /** Samples x become x % period, which is exact, unless `from` says otherwise. Null: they stay. */
  readonly period: number | null;
  /** Integers x become x + k period, from this number on, rounded down. Absent: x % period. */
  readonly from?: number | undefined;
  /**
   * 64-bit integers are rounded down, so that x >= edge holds as before for every f64 edge. One right above `end`, the
   * closed end of the axis, is rounded up. Null: the axis has no closed end.
   */
  readonly end: number | null;
}

/**
 * Returns the samples and the axis that devices count for samples of a type over an axis.
 *
 *   category, boolean, circular    intervals of an ordered axis
 *   f16                            intervals of its bits, as u16: NaN and the reversed negative numbers have their own
 *   i64, u64                       f64, converted by this thread
 *
 * @throws ERR_LIMIT if the ordered axis would have too many bins; ERR_AXIS for edges that are equal.
 */
export function countedAs(axis: Axis, type: SampleType): CountedAs {
  const of = intervalsOf(axis, type);
  const { valueOfBits } = SAMPLE_TRAITS[type];
  if (valueOfBits !== undefined) return bitPatterns(axis, type, of, valueOfBits);
  const isWide = type === "i64" || type === "u64";
  if (!isWide && of.period === null) return { axis: of.axis, type, codes: of.codes, reduction: null };
  const end = isClosed(of.axis) ? edgesOf(of.axis, type)[of.axis.bins]! : null;
  return {
    axis: of.axis,
    type: "f64",
    codes: of.codes,
    reduction: { period: of.period, from: of.from, end },
  };
}

/** Finds the code of each of the 65,536 bit patterns. Neighbours with the same code become one interval. */
function bitPatterns(
  { bins }: Axis,
  type: SampleType,
  { axis, codes }: Intervals,
  valueOfBits: (bits: number) => number,
): CountedAs {
  const edges = edgesOf(axis, type);
  const starts: number[] = [];
  const found: number[] = [];
  for (let bits = 0; bits < HALF_VALUES; bits++) {
    const code = codeOfValue(axis, edges, valueOfBits(bits));
    const own = codes === null ? code : codes[code]!;
    if (own === found.at(-1)) continue;
    starts.push(bits);
    found.push(own);
  }
  // No bits lie outside, so the three codes of flow never occur.
  const flow = [0, 1, 2].map((kind) => bins + kind);
  return {
    axis: variable([...starts, HALF_VALUES], { closed: false }),
    type: "u16",
    codes: Uint32Array.from([...found, ...flow]),
    reduction: null,
  };
}

import { BYTE_VALUES, expected, HALF_VALUES, PolybinError } from "../base/index.ts";
import { SAMPLE_TRAITS, type SampleType } from "../input/index.ts";
import { type Axis, checkedAxis, checkedBins, regular, wholeRange } from "./axis.ts";

/**
 * The range that the bins cover. `[lo, hi]` is NumPy's `range`. "data" is the data's finite minimum to maximum, which
 * takes an extra pass over the data. "type" is all values of an integer type.
 */
export type BinRange = readonly [lo: number, hi: number] | "data" | "type";

/** How a call defines its axis: with `axis`, or with `bins` and `range`. */
export interface AxisOptions {
  /** The axis to count over. Default: `bins` bins of equal width over `range`. */
  readonly axis?: Axis | undefined;
  /** Number of equal bins over the range. Default: 256. */
  readonly bins?: number | undefined;
  /**
   * The range that the bins cover. Default: "type" for 8- and 16-bit integers; "data" for all other types, as in
   * NumPy.
   */
  readonly range?: BinRange | undefined;
}

/** @throws ERR_INPUT for an invalid range, or for `bins` or `range` together with `axis`. */
export function checkAxisOptions({ axis, bins, range }: AxisOptions): void {
  for (const [name, value] of [
    ["bins", bins],
    ["range", range],
  ] as const) {
    if (axis !== undefined && value !== undefined) {
      throw new PolybinError("ERR_INPUT", `expected either axis or ${name} but received both`);
    }
  }
  const isPair = Array.isArray(range) && range.length === 2;
  if (range !== undefined && range !== "data" && range !== "type" && !isPair) {
    throw expected("ERR_INPUT", "range", 'two numbers [lo, hi], "data" or "type"', range);
  }
}

/**
 * Returns the axis of samples of a type if it is known before they are read. Returns null if the range of the data
 * decides; that axis has `binsOf` bins.
 * @throws ERR_INPUT for `range: "type"` of a float type.
 * @throws ERR_AXIS or ERR_LIMIT for an invalid axis or number of bins.
 */
export function axisBeforehand(type: SampleType, { axis, bins, range }: AxisOptions): Axis | null {
  if (axis !== undefined) return checkedAxis(axis);
  const count = checkedBins(bins ?? BYTE_VALUES);
  if (typeof range === "object") return regular(count, ...range);
  const { integer, min, max } = SAMPLE_TRAITS[type];
  if (range === "type" && !integer) {
    throw expected(
      "ERR_INPUT",
      "range",
      `"data" or [lo, hi] (${type} has no finite range of its own)`,
      range,
    );
  }
  const isWhole = range === undefined ? max - min < HALF_VALUES : range === "type";
  return isWhole ? wholeRange(type, count) : null;
}

/**
 * Returns the axis of samples that polybin cannot read twice, or at all. @throws ERR_AXIS if the range of the data
 * decides.
 */
export function axisUnread(type: SampleType, options: AxisOptions, what: string, why: string): Axis {
  const axis = axisBeforehand(type, options);
  if (axis !== null) return axis;
  const whole = SAMPLE_TRAITS[type].integer ? ', or range: "type" for all values of the type' : "";
  throw new PolybinError(
    "ERR_AXIS",
    `expected an axis for ${what}: ${why}; give an axis or range: [lo, hi]${whole}`,
  );
}

/** Returns the number of bins of an axis whose range the data decides. */
export function binsOf({ bins = BYTE_VALUES }: AxisOptions): number {
  return bins;
}

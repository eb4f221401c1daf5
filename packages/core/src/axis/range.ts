import { BYTE_VALUES, expected, HALF_VALUES, PolybinError } from "../base/index.ts";
import { SAMPLE_TRAITS, type SampleType } from "../input/index.ts";
import { type Axis, checkedAxis, checkedBins, regular, wholeRange } from "./axis.ts";

/**
 * From where to where bins reach: `[lo, hi]`, NumPy's word; "data": the data's own finite minimum to maximum, which are
 * read first; "type": all values of an integer type.
 */
export type BinRange = readonly [lo: number, hi: number] | "data" | "type";

/** What a call says of its axis: `axis`, or `bins` and `range`. */
export interface AxisOptions {
  /** Default: `bins` over `range`. */
  readonly axis?: Axis | undefined;
  /** Equal bins over the range. Default 256. */
  readonly bins?: number | undefined;
  /** Default "type" for 8- and 16-bit integers, "data" for all else, as NumPy. */
  readonly range?: BinRange | undefined;
}

/** @throws ERR_INPUT for a range that is none, or bins or a range beside an axis. */
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
 * The axis of samples of a type, as far as it is known before they are read; null where their range decides, with
 * `binsOf` bins.
 * @throws ERR_INPUT for the range of a type that has none, a float; ERR_AXIS or ERR_LIMIT for an axis or bins that cannot be.
 */
export function axisBeforehand(type: SampleType, { axis, bins, range }: AxisOptions): Axis | null {
  if (axis !== undefined) return checkedAxis(axis);
  const count = checkedBins(bins ?? BYTE_VALUES);
  if (typeof range === "object") return regular(count, ...range);
  const { integer, min, max } = SAMPLE_TRAITS[type];
  if (range === "type" && !integer) {
    throw expected("ERR_INPUT", "range", `"data" or [lo, hi], since ${type} has no whole range,`, range);
  }
  const isWhole = range === undefined ? max - min < HALF_VALUES : range === "type";
  return isWhole ? wholeRange(type, count) : null;
}

/** The axis of samples that are read only once, or not by us. @throws ERR_AXIS where the range of the data decides. */
export function axisUnread(type: SampleType, options: AxisOptions, what: string, why: string): Axis {
  const axis = axisBeforehand(type, options);
  if (axis !== null) return axis;
  const whole = SAMPLE_TRAITS[type].integer ? ', or range: "type" for all values of the type' : "";
  throw new PolybinError(
    "ERR_AXIS",
    `expected an axis for ${what}: ${why}; give an axis or range: [lo, hi]${whole}`,
  );
}

/** Bins of a range that the data decide. */
export function binsOf({ bins = BYTE_VALUES }: AxisOptions): number {
  return bins;
}

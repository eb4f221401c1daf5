import { BYTE_VALUES, checkSwitch, expected, HALF_VALUES, PolybinError } from "../base/index.ts";
import { SAMPLE_TRAITS, type SampleType } from "../input/index.ts";
import { type Axis, checkedAxis, checkedBins, regular, variable, wholeRange } from "./axis.ts";
import type { BinRule } from "./rules.ts";

/**
 * The range that the bins cover. `[lo, hi]` is NumPy's `range`. "data" is the data's finite minimum to maximum, which
 * takes an extra pass over the data. "type" is all values of an integer type.
 */
export type BinRange = readonly [lo: number, hi: number] | "data" | "type";

/** The parts of `AxisOptions`, in any combination. */
export interface AxisParts {
  /** The axis to count over. Default: `bins` bins of equal width over `range`. */
  readonly axis?: Axis | undefined;
  /**
   * Number of equal bins over the range, their edges as those of `variable`, or the rule that picks their number as
   * `numpy.histogram_bin_edges` does. A rule reads the data, which must be in memory. Default: 256.
   */
  readonly bins?: number | BinRule | ArrayLike<number> | undefined;
  /**
   * The range that the bins cover. Default: "type" for 8- and 16-bit integers without a rule; "data" for all other
   * types and with a rule, as in NumPy.
   */
  readonly range?: BinRange | undefined;
  /** Whether to extend the range to round numbers, as d3's `nice(lo, hi, bins)`. Default: false. */
  readonly nice?: boolean | undefined;
}

/** How a call defines its axis: with `axis`, or with `bins` and `range`. */
export type AxisOptions = (AxisParts & Without<"axis">) | (AxisParts & Without<"bins" | "range" | "nice">);

/** Options that do not have some names. The compiler refuses what a call refuses. */
export type Without<Names extends PropertyKey> = { readonly [Name in Names]?: undefined };

const BIN_RULES: readonly BinRule[] = ["auto", "doane", "fd", "rice", "scott", "sqrt", "sturges"];

/** @throws ERR_INPUT for an invalid range, or for `bins` or `range` together with `axis`; ERR_AXIS for an unknown rule. */
export function checkAxisOptions({ axis, bins, range, nice }: AxisParts): void {
  checkSwitch(nice, "nice");
  for (const [name, value] of [
    ["bins", bins],
    ["range", range],
    ["nice", nice],
  ] as const) {
    if (axis !== undefined && value !== undefined) {
      throw new PolybinError("ERR_INPUT", `expected either axis or ${name} but received both`);
    }
  }
  for (const [name, value] of [
    ["range", range],
    ["nice", nice],
  ] as const) {
    if (isEdges(bins) && value !== undefined) {
      throw new PolybinError("ERR_INPUT", `expected either edges for bins or ${name} but received both`);
    }
  }
  const isPair = Array.isArray(range) && range.length === 2;
  if (range !== undefined && range !== "data" && range !== "type" && !isPair) {
    throw expected("ERR_INPUT", "range", 'two numbers [lo, hi], "data" or "type"', range);
  }
  if (typeof bins === "string" && !BIN_RULES.includes(bins)) {
    throw expected("ERR_AXIS", "bins", `a number or one of the rules ${BIN_RULES.join(", ")}`, bins);
  }
}

/** Returns true for bins that are edges. */
function isEdges(bins: AxisParts["bins"]): bins is ArrayLike<number> {
  return typeof bins === "object" && bins !== null;
}

/** Returns true if the axis is estimated: a rule picks its bins, or its range is extended. */
export function isEstimated({ axis, bins, nice }: AxisParts): boolean {
  return axis === undefined && (typeof bins === "string" || nice === true);
}

/** @throws ERR_UNSUPPORTED for a rule for bins next to weights */
export function checkNoRule({ bins }: AxisParts): void {
  if (typeof bins !== "string") return;
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected a number of bins with weights but received the rule ${bins}, which ignores weights`,
  );
}

/**
 * Returns the axis of samples of a type if it is known before they are read. Returns null if the data decide. If they
 * decide only the range, the axis has `binsOf` bins.
 * @throws ERR_INPUT for `range: "type"` of a float type.
 * @throws ERR_AXIS or ERR_LIMIT for an invalid axis or number of bins.
 */
export function axisBeforehand(type: SampleType, options: AxisParts): Axis | null {
  const { axis, bins, range } = options;
  if (axis !== undefined) return checkedAxis(axis);
  if (isEstimated(options)) return null;
  if (isEdges(bins)) return variable(bins);
  const count = checkedBins(bins ?? BYTE_VALUES);
  if (typeof range === "object") return regular(count, ...range);
  return coversType(type, options) ? wholeRange(type, count) : null;
}

/**
 * Returns true if the bins cover all values of the type, and false if the data decide. @throws ERR_INPUT for
 * `range: "type"` of a float type.
 */
export function coversType(type: SampleType, { bins, range }: AxisParts): boolean {
  const { integer, min, max } = SAMPLE_TRAITS[type];
  if (range === "type" && !integer) {
    throw expected(
      "ERR_INPUT",
      "range",
      `"data" or [lo, hi] (${type} has no finite range of its own)`,
      range,
    );
  }
  return range === undefined ? typeof bins !== "string" && max - min < HALF_VALUES : range === "type";
}

/**
 * Returns the axis of samples that polybin cannot read twice, or at all. @throws ERR_AXIS if the range of the data
 * decides.
 */
export function axisUnread(type: SampleType, options: AxisParts, what: string, why: string): Axis {
  const axis = axisBeforehand(type, options);
  if (axis !== null) return axis;
  if (isEstimated(options)) {
    throw new PolybinError(
      "ERR_AXIS",
      `expected an axis or a number of bins without nice for ${what} but received a rule or nice: ${why}`,
    );
  }
  const whole = SAMPLE_TRAITS[type].integer ? ', or range: "type" for all values of the type' : "";
  throw new PolybinError(
    "ERR_AXIS",
    `expected an axis for ${what}: ${why}; give an axis or range: [lo, hi]${whole}`,
  );
}

/** Returns the number of bins of an axis whose range the data decides. @throws ERR_AXIS for a rule */
export function binsOf({ bins = BYTE_VALUES }: AxisParts): number {
  return checkedBins(bins);
}

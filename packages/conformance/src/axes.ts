import { type Axis, integer, regular, type SampleType, variable } from "@polybin/core";
import { type OrderedAxis, SAMPLE_TRAITS } from "@polybin/core/backend";
import { rangeOf } from "./generators.ts";

/** Describes an axis briefly, for messages. */
export function describeAxis(axis: Axis): string {
  if (axis.type === "integer") return `integer(${axis.start}, ${axis.stop})`;
  if (axis.type === "regular") {
    return `regular(${axis.bins}, ${axis.lo}, ${axis.hi}${axis.spacing === "f32" ? ", f32" : ""})`;
  }
  if (axis.type === "category") return `category(${axis.bins} values, ${axis.values[0]} first)`;
  if (axis.type === "boolean") return "boolean()";
  if (axis.type === "circular") return `circular(${axis.bins}, ${axis.lo}, ${axis.hi})`;
  return `variable(${axis.edges.length} edges, ${axis.edges[0]} to ${axis.edges[axis.bins]})`;
}

/** Returns an axis of `bins` equal bins over all values of an integer type, or over the range of generated floats. */
export function wholeAxis(type: SampleType, bins: number): OrderedAxis {
  const { min, max } = rangeOf(type);
  if (!SAMPLE_TRAITS[type].integer) return regular(bins, min, max);
  return max - min + 1 === bins ? integer(min, max + 1) : regular(bins, min, max + 1);
}

/**
 * Returns ordered axes of every kind with `bins` bins for a sample type: over its whole range, over a part of it so that
 * samples fall outside both ends, and across each end of it.
 */
export function axesFor(type: SampleType, bins: number): readonly OrderedAxis[] {
  const { min, max } = rangeOf(type);
  const span = max - min;
  const top = SAMPLE_TRAITS[type].integer ? max + 1 : max;
  const half = Math.floor(bins / 2);
  const middle = Math.round((min + max) / 2);
  const [low, high] = [min + 0.3 * span, min + 0.7 * span];
  return [
    integer(middle - half, middle - half + bins),
    integer(min - half, min - half + bins),
    integer(top - bins, top),
    regular(bins, min, top),
    regular(bins, low, high),
    regular(bins, min - 0.1 * span, middle + 0.25),
    variable(growing(bins, min, max)),
    variable(growing(bins, low, high)),
    variable(growing(bins, middle, max + 0.3 * span)),
  ];
}

/** Returns one axis of each kind, for cases in which all of `axesFor` would take too long. */
export function fewAxesFor(type: SampleType, bins: number): readonly OrderedAxis[] {
  const all = axesFor(type, bins);
  return [all[0]!, all[4]!, all[7]!];
}

/** Returns edges from lo to hi, with each bin wider than the one before it. */
function growing(bins: number, lo: number, hi: number): number[] {
  const edges = Array.from(
    { length: bins + 1 },
    (_, i) => lo + (hi - lo) * (i / bins) * (0.25 + (0.75 * i) / bins),
  );
  edges[bins] = hi;
  return edges;
}

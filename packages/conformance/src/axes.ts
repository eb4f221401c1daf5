import { type Axis, integer, regular, type SampleType, variable } from "@polybin/core";
import { SAMPLE_TRAITS } from "@polybin/core/backend";
import { rangeOf } from "./generators.ts";

/** An axis in few words, for messages. */
export function describeAxis(axis: Axis): string {
  if (axis.type === "integer") return `integer(${axis.start}, ${axis.stop})`;
  if (axis.type === "regular") {
    return `regular(${axis.bins}, ${axis.lo}, ${axis.hi}${axis.spacing === "f32" ? ", f32" : ""})`;
  }
  return `variable(${axis.edges.length} edges, ${axis.edges[0]} to ${axis.edges[axis.bins]})`;
}

/** The axis that gives each value of an integer type, or the range of generated floats, one of `bins` equal bins. */
export function wholeAxis(type: SampleType, bins: number): Axis {
  const { min, max } = rangeOf(type);
  if (!SAMPLE_TRAITS[type].integer) return regular(bins, min, max);
  return max - min + 1 === bins ? integer(min, max + 1) : regular(bins, min, max + 1);
}

/**
 * Axes of every kind with `bins` bins for a sample type: over its whole range, over a part of it so that
 * samples flow off both sides, and across either end of it.
 */
export function axesFor(type: SampleType, bins: number): readonly Axis[] {
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

/** One axis of each kind, samples flowing off where they can: where all of `axesFor` would take too long. */
export function fewAxesFor(type: SampleType, bins: number): readonly Axis[] {
  const all = axesFor(type, bins);
  return [all[0]!, all[4]!, all[7]!];
}

/** Edges from lo to hi, each bin wider than the one before it. */
function growing(bins: number, lo: number, hi: number): number[] {
  const edges = Array.from(
    { length: bins + 1 },
    (_, i) => lo + (hi - lo) * (i / bins) * (0.25 + (0.75 * i) / bins),
  );
  edges[bins] = hi;
  return edges;
}

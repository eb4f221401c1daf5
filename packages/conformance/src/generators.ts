import type { Axis, SampleType } from "@polybin/core";
import { arrayOver, edgesOf, limits, SAMPLE_TRAITS, type SampleArray } from "@polybin/core/backend";
import { type FloatType, floatSpecials, neighbour } from "./oracle/floats.ts";
import { Random } from "./random.ts";

/** How samples are distributed. */
export type Distribution =
  | "zeros"
  | "constant"
  | "maximum"
  | "uniform"
  | "ramp"
  | "two values"
  | "sorted"
  | "gauss";

/** Every distribution, the easy ones first. */
export const DISTRIBUTIONS: readonly Distribution[] = [
  "uniform",
  "ramp",
  "gauss",
  "sorted",
  "two values",
  "constant",
  "zeros",
  "maximum",
];

/** The range of generated floats, which f32 resolves finely. */
const FLOAT_RANGE: { readonly min: number; readonly max: number } = { min: -1000, max: 1000 };

/** Returns the range [min, max] of the generated samples of a type. */
export function rangeOf(type: SampleType): { readonly min: number; readonly max: number } {
  return SAMPLE_TRAITS[type].integer ? SAMPLE_TRAITS[type] : FLOAT_RANGE;
}

/** Returns zeroed samples of a type. */
export function samplesOfType(type: SampleType, n: number): SampleArray {
  return arrayOver(type, new Uint8Array(n * SAMPLE_TRAITS[type].bytes));
}

/** Generates `n` samples, the same for the same arguments on every machine. `maximum` is 255 for u8. */
export function generate(type: SampleType, distribution: Distribution, n: number, seed = 1): SampleArray {
  const out = samplesOfType(type, n);
  const random = new Random(seed);
  const { min, max } = rangeOf(type);
  const span = max - min;
  const isInteger = SAMPLE_TRAITS[type].integer;
  const at = (part: number): number => (isInteger ? min + Math.floor(part * (span + 1)) : min + part * span);
  const clamped = (part: number): number => Math.min(max, Math.max(min, at(part)));
  const [one, other] = [at(random.unit()), at(random.unit())];
  const period = Math.min(span + 1, limits.HALF_VALUES);
  const value: Record<Distribution, (i: number) => number> = {
    zeros: () => 0,
    constant: () => one,
    maximum: () => max,
    uniform: () => at(random.unit()),
    ramp: (i) => at((i % period) / period),
    "two values": () => (random.bits() & 1 ? one : other),
    sorted: (i) => at(i / n),
    gauss: () => clamped(0.5 + random.gauss() / 16),
  };
  const next = value[distribution];
  for (let i = 0; i < n; i++) out[i] = next(i);
  return out;
}

/** Returns `n` samples of one value. */
export function filled(type: SampleType, value: number, n: number): SampleArray {
  return samplesOfType(type, n).fill(value);
}

/**
 * Generates `n` samples at which an axis is most easily wrong: its edges, their neighbours, the space just outside,
 * the type's extremes and, for floats, every special value. NaN samples keep their bits.
 */
export function aroundAxis(axis: Axis, type: SampleType, n: number, seed = 1): SampleArray {
  const out = samplesOfType(type, n);
  const random = new Random(seed);
  const edges = edgesOf(axis, type);
  const lo = edges[0]!;
  const width = edges[axis.bins]! - lo;
  const place = (value: number): number => representable(type, value);
  for (let i = 0; i < n; i++) {
    const kind = i % 4;
    if (kind === 0) out[i] = place(lo + (random.unit() * 1.5 - 0.25) * width);
    else if (kind === 1)
      out[i] = edgeOrNeighbour(type, edges[random.below(edges.length)]!, random.below(3) - 1);
    else if (kind === 2) {
      const end = random.bits() & 1 ? lo : edges[axis.bins]!;
      out[i] = edgeOrNeighbour(type, end, random.below(3) - 1);
    } else out[i] = place(rangeOf(type).min + random.unit() * (rangeOf(type).max - rangeOf(type).min));
  }
  // The extremes come first, so that the last samples differ and a lost last sample shows. Bits are copied instead of
  // values, because a NaN's payload does not survive as a JavaScript number.
  (out as Float64Array).set((extremesOf(type) as Float64Array).subarray(0, n));
  return out;
}

/** Returns the special values of a float type, or the lowest and highest values of an integer type, and zero. */
export function extremesOf(type: SampleType): SampleArray {
  if (!SAMPLE_TRAITS[type].integer) return floatSpecials(type as FloatType);
  const { min, max } = SAMPLE_TRAITS[type];
  const out = samplesOfType(type, 5);
  out.set([min, min + 1, 0, max - 1, max]);
  return out;
}

function edgeOrNeighbour(type: SampleType, edge: number, step: number): number {
  if (SAMPLE_TRAITS[type].integer) return representable(type, Math.ceil(edge) + step);
  const near = type === "f32" ? Math.fround(edge) : edge;
  return step === 0 ? near : neighbour(type as FloatType, near, step > 0 ? 1 : -1);
}

function representable(type: SampleType, value: number): number {
  const { integer, min, max } = SAMPLE_TRAITS[type];
  return integer ? Math.min(max, Math.max(min, Math.floor(value))) : value;
}

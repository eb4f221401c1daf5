import { limits, rowBytes, type ValueType } from "@polybin/core/backend";
import { Random } from "./random.ts";

/**
 * How the values of a feature are distributed, after Xu et al.: the deviations of section 6.2.3, and the many zeros
 * of section 4.4.2.
 */
export type Spread =
  | { readonly kind: "uniform" }
  /** This share of the values is 0; the rest is uniform. */
  | { readonly kind: "zeros"; readonly share: number }
  /** Normal around the middle. A deviation of 0 is the case that the paper calls degenerate. */
  | { readonly kind: "normal"; readonly sigma: number }
  /** Runs of equal values, as in features of search engines. */
  | { readonly kind: "clustered"; readonly run: number };

export const SPREADS: readonly Spread[] = [
  { kind: "uniform" },
  { kind: "zeros", share: 0.5 },
  { kind: "zeros", share: 0.95 },
  { kind: "zeros", share: 1 },
  { kind: "normal", sigma: 0 },
  { kind: "normal", sigma: 1 },
  { kind: "normal", sigma: 10 },
  { kind: "clustered", run: 37 },
];

export function describeSpread(spread: Spread): string {
  const [, number] = Object.values(spread);
  return number === undefined ? spread.kind : `${spread.kind} ${number}`;
}

/** Generates one feature's values, each below `bins`, the same for the same arguments on every machine. */
export function featureValues(bins: number, documents: number, spread: Spread, seed = 1): Uint16Array {
  const random = new Random(seed);
  const value = (i: number, before: number): number => {
    switch (spread.kind) {
      case "uniform":
        return random.below(bins);
      case "zeros":
        return random.unit() < spread.share ? 0 : random.below(bins);
      case "normal":
        return Math.min(bins - 1, Math.max(0, Math.round(bins / 2 + random.gauss() * spread.sigma)));
      case "clustered":
        return i % spread.run === 0 ? random.below(bins) : before;
    }
  };
  const out = new Uint16Array(documents);
  for (let i = 0; i < documents; i++) out[i] = value(i, out[i - 1] ?? 0);
  // The last bin always occurs.
  if (documents > 1 && spread.kind === "uniform") out[documents - 1] = bins - 1;
  return out;
}

/** Kinds of weights that are difficult for a scale, for an accumulator, or for neither. */
export type WeightKind = "gauss" | "equal" | "largest" | "negative" | "zero" | "huge" | "denormal" | "signs";

export const WEIGHT_KINDS: readonly WeightKind[] = [
  "gauss",
  "equal",
  "largest",
  "negative",
  "zero",
  "huge",
  "denormal",
  "signs",
];

/** A weight with the largest integer that a table of 2,048 or more documents can have: 2^20 - 1 of 2^20. */
const FULL: number = 2 - 2 ** -19;

export function documentWeights(kind: WeightKind, documents: number, seed = 1): Float32Array {
  const random = new Random(seed);
  const value: Record<WeightKind, (i: number) => number> = {
    gauss: () => random.gauss(),
    equal: () => 0.1,
    largest: () => FULL,
    negative: () => -FULL,
    zero: (i) => (i & 1 ? -0 : 0),
    huge: (i) => (i === documents >> 1 ? 3e38 : random.gauss()),
    denormal: () => random.gauss() * 1e-40,
    signs: (i) => (i & 1 ? -FULL : FULL),
  };
  const next = value[kind];
  return Float32Array.from({ length: documents }, (_, i) => next(i));
}

/** Packs a table's values as its type stores them. */
export function packedValues(type: ValueType, rows: readonly Uint16Array[]): Uint8Array | Uint16Array {
  const documents = rows[0]?.length ?? 0;
  if (type === "u16") {
    const out = new Uint16Array(rows.length * documents);
    rows.forEach((row, feature) => {
      out.set(row, feature * documents);
    });
    return out;
  }
  const out = new Uint8Array(rows.length * rowBytes(type, documents));
  rows.forEach((row, feature) => {
    const first = feature * rowBytes(type, documents);
    row.forEach((value, i) => {
      const at = first + (type === "u4" ? i >>> 1 : i);
      out[at] = out[at]! | (type === "u4" && i & 1 ? value << 4 : value);
    });
  });
  return out;
}

/** The expected sums of a feature: sums that must match bit for bit, and the magnitudes that went into each bin. */
export interface ExpectedSums {
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  /** Sums of the squares. */
  readonly squares: Float64Array;
  /** Sums of |weight|, unrounded. */
  readonly sizes: Float64Array;
  /** Sums of the weights, unrounded. */
  readonly plain: Float64Array;
}

/**
 * Adds up by the definition of docs/internals/weighted-sums.md, in a plain loop. Each weight is rounded to whole quanta, ties to
 * even, and the integers are added up. It shares only the constant in `limits` with core.
 */
export function sumByDefinition(
  values: ArrayLike<number>,
  bins: number,
  weights: Float32Array,
  documents: Iterable<number> = weights.keys(),
  units: { readonly unit: number; readonly squareUnit: number } = unitsFor(weights),
): ExpectedSums {
  const of = (): Float64Array => new Float64Array(bins);
  const { unit, squareUnit } = units;
  const out = { counts: of(), sums: of(), squares: of(), sizes: of(), plain: of() };
  for (const i of documents) {
    const bin = values[i]!;
    const weight = weights[i]!;
    out.counts[bin]!++;
    out.sums[bin]! += rounded(weight / unit);
    out.squares[bin]! += rounded((weight * weight) / squareUnit);
    out.sizes[bin]! += Math.abs(weight);
    out.plain[bin]! += weight;
  }
  return {
    ...out,
    sums: out.sums.map((sum) => sum * unit + 0),
    squares: out.squares.map((sum) => sum * squareUnit + 0),
  };
}

function unitsFor(weights: Float32Array) {
  return { unit: quantumOf(weights, 1), squareUnit: quantumOf(weights, 2) };
}

/** Returns the quantum of one limb: the smallest power of two at which no 32-bit sum of integer weights overflows. */
export function quantumOf(weights: Float32Array, power: 1 | 2): number {
  const most = weights.reduce((top, weight) => Math.max(top, Math.abs(weight) ** power), 0);
  if (most === 0) return 1;
  const bound = Math.floor((2 ** 31 - 1) / Math.min(weights.length, limits.WEIGHT_ADDENDS));
  let unit = 1;
  while (rounded(most / unit) > bound) unit *= 2;
  while (rounded(most / (unit / 2)) <= bound) unit /= 2;
  return unit;
}

function rounded(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}

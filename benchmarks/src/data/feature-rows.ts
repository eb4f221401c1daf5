import { limits, rowBytes, type ValueType } from "@polybin/core/backend";
import { type Distribution, fill } from "./distributions.ts";
import { normal, xorshift } from "./random.ts";

/** Values of one feature, one per document, and their name. */
export interface FeatureRow {
  readonly name: string;
  readonly bins: number;
  readonly values: Uint16Array;
  /** Standard deviation, in bins, of normal values. */
  readonly sigma?: number;
  /** Share of values that are 0. */
  readonly zeroShare?: number;
}

/** Makes a feature with one of the distributions of every benchmark. */
export function rowOf(distribution: Distribution, bins: number, documents: number): FeatureRow {
  const values = new Uint16Array(documents);
  fill(values, distribution, bins);
  return { name: distribution, bins, values };
}

/** Makes normal values around the middle (Xu et al., 6.2.3). All are equal for a deviation of 0, and uniform for an infinite one. */
export function normalRow(sigma: number, bins: number, documents: number): FeatureRow {
  const next = xorshift(SEED);
  const value = Number.isFinite(sigma)
    ? () => Math.max(0, Math.min(bins - 1, Math.round(bins / 2 + sigma * normal(next))))
    : () => Math.floor(next() * bins);
  const values = Uint16Array.from({ length: documents }, value);
  return Number.isFinite(sigma)
    ? { name: `sigma ${sigma}`, bins, values, sigma }
    : { name: "uniform", bins, values };
}

/** Makes many zeros and otherwise uniform values, like the features of the paper's search engine (4.4.2), which are not public. */
export function sparseRow(zeroShare: number, bins: number, documents: number): FeatureRow {
  const next = xorshift(SEED);
  const value = () => (next() < zeroShare ? 0 : 1 + Math.floor(next() * (bins - 1)));
  const values = Uint16Array.from({ length: documents }, value);
  return { name: `${Math.round(zeroShare * 100)}% zeros`, bins, values, zeroShare };
}

/** Makes such values in runs of equal ones, as neighbouring documents have them (6.2.4). */
export function clusteredRow(zeroShare: number, run: number, bins: number, documents: number): FeatureRow {
  const { values: each } = sparseRow(zeroShare, bins, Math.ceil(documents / run));
  const values = Uint16Array.from({ length: documents }, (_, i) => each[Math.floor(i / run)]!);
  const name = `${Math.round(zeroShare * 100)}% zeros, runs of ${run}`;
  return { name, bins, values, zeroShare };
}

/** The values of a feature: normal ones of a deviation, or zeros and others, also in runs; without any, uniform ones. */
export interface Kind {
  /** In bins. Null means infinite, for which JSON has no number. */
  readonly sigma?: number | null;
  /** Share of values that are 0. */
  readonly zeros?: number;
  readonly run?: number;
}

/** Makes a feature of a kind. */
export function rowOfKind({ sigma, zeros, run }: Kind, bins: number, documents: number): FeatureRow {
  if (zeros === undefined) return normalRow(sigma ?? Number.POSITIVE_INFINITY, bins, documents);
  return run === undefined ? sparseRow(zeros, bins, documents) : clusteredRow(zeros, run, bins, documents);
}

const SEED = 0x2545f491;

/** Returns the narrowest type for a number of bins, as in the paper's Table 3. */
export function typeFor(bins: number): ValueType {
  return bins <= limits.NIBBLE_VALUES ? "u4" : bins <= limits.BYTE_VALUES ? "u8" : "u16";
}

/** Packs a row into bytes of a table. */
export function packed(type: ValueType, values: Uint16Array): Uint8Array {
  if (type === "u8") return Uint8Array.from(values);
  if (type === "u16") return new Uint8Array(values.slice().buffer);
  const out = new Uint8Array(rowBytes(type, values.length));
  for (let i = 0; i < values.length; i++) out[i >>> 1]! |= values[i]! << (i & 1 ? 4 : 0);
  return out;
}

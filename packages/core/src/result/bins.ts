import { productOf, stridesOf } from "./grid.ts";

/** A bin with its edges and its number of samples, in the words of d3. It has no array of the samples. */
export interface Bin {
  /** The left edge. */
  readonly x0: number;
  /** The right edge. */
  readonly x1: number;
  /** Number of samples. */
  readonly length: number;
}

/** A bin of a joint histogram, in the words of d3: its edges along each axis, and its number of samples. */
export interface JointEntry {
  /** The bin of each axis. */
  readonly index: readonly number[];
  /** The left edge of the bin along each axis. */
  readonly x0: readonly number[];
  /** The right edge of the bin along each axis. */
  readonly x1: readonly number[];
  readonly length: number;
}

/** Iterates over all bins, the last axis fastest, with the place of each in an array of bins. */
export function* eachBin(
  edges: readonly Float64Array[],
): Generator<Omit<JointEntry, "length"> & { readonly at: number }> {
  const shape = edges.map(({ length }) => length - 1);
  const strides = stridesOf(shape);
  const bins = productOf(shape);
  for (let at = 0; at < bins; at++) {
    const index = shape.map((length, k) => Math.floor(at / strides[k]!) % length);
    yield {
      at,
      index,
      x0: index.map((bin, k) => edges[k]![bin]!),
      x1: index.map((bin, k) => edges[k]![bin + 1]!),
    };
  }
}

/** Divides the numbers of bins by the volume of each and then by their sum, in NumPy's order. */
export function densityOf(values: Float64Array, sum: number, edges: readonly Float64Array[]): Float64Array {
  const density = values.slice();
  const strides = stridesOf(edges.map(({ length }) => length - 1));
  for (const [k, along] of edges.entries()) {
    const stride = strides[k]!;
    for (let i = 0; i < density.length; i++) {
      const bin = Math.floor(i / stride) % (along.length - 1);
      density[i]! /= along[bin + 1]! - along[bin]!;
    }
  }
  for (let i = 0; i < density.length; i++) density[i]! /= sum;
  return density;
}

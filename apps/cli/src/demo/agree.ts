import type { Histogram } from "@polybin/core";

/** Whether two backends' histograms agree in every edge, every bin, both flow bins and the NaN count. */
export function agree(a: readonly Histogram[], b: readonly Histogram[]): boolean {
  return a.length === b.length && a.every((histogram, i) => same(histogram, b[i]!));
}

function same(a: Histogram, b: Histogram): boolean {
  return (
    equal(a.edges, b.edges) &&
    equal(a.counts, b.counts) &&
    a.underflow === b.underflow &&
    a.overflow === b.overflow &&
    a.nan === b.nan
  );
}

function equal(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

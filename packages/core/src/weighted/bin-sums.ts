/** What was added up of one feature: `bins` numbers each. Sums are in units of the scaled weights. */
export interface BinSums {
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  /** Sums of the squares of the weights, where they were asked for. */
  readonly squares: Float64Array | null;
}

export function noSums(bins: number, squares: boolean): BinSums {
  return {
    counts: new Float64Array(bins),
    sums: new Float64Array(bins),
    squares: squares ? new Float64Array(bins) : null,
  };
}

/** Sums of one feature, one number per bin, in units of the scaled weights. */
export interface BinSums {
  /** Number of documents, if requested. */
  readonly counts: Float64Array | null;
  readonly sums: Float64Array;
  /** Sums of the squares of the weights, if requested. */
  readonly squares: Float64Array | null;
}

/** The numbers that a bin has in addition to its sum. */
export interface Kept {
  readonly counts: boolean;
  readonly squares: boolean;
}

/** Adds sums over the same bins. */
export function addSums(to: BinSums, from: BinSums): void {
  for (const name of ["counts", "sums", "squares"] as const) {
    const [into, of] = [to[name], from[name]];
    if (into !== null && of !== null) for (let bin = 0; bin < into.length; bin++) into[bin]! += of[bin]!;
  }
}

export function noSums(bins: number, { counts, squares }: Kept): BinSums {
  return {
    counts: counts ? new Float64Array(bins) : null,
    sums: new Float64Array(bins),
    squares: squares ? new Float64Array(bins) : null,
  };
}

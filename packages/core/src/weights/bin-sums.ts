/** What was added up of one feature: `bins` numbers each. Sums are in units of the scaled weights. */
export interface BinSums {
  /** Documents, where they were asked for. */
  readonly counts: Float64Array | null;
  readonly sums: Float64Array;
  /** Sums of the squares of the weights, where they were asked for. */
  readonly squares: Float64Array | null;
}

/** Which numbers a bin has beside its sum. */
export interface Kept {
  readonly counts: boolean;
  readonly squares: boolean;
}

/** Adds sums of the same bins. */
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

/**
 * Caches the counts of all documents of a table, by feature. They do not depend on the weights. The first call that
 * adds up all documents of a feature counts them. Later calls add up only sums: one number per document instead of
 * two.
 */
export class KnownCounts {
  readonly #known = new Map<number, Uint32Array>();
  readonly #rowBytes: number;

  /** @param rowBytes size of a feature's values in bytes; counts that take more memory are not kept, so 0 keeps none */
  constructor(rowBytes: number) {
    this.#rowBytes = rowBytes;
  }

  has(feature: number): boolean {
    return this.#known.has(feature);
  }

  /** Returns a new copy of the counts, or null if they are not known. */
  of(feature: number): Float64Array | null {
    const counts = this.#known.get(feature);
    return counts === undefined ? null : new Float64Array(counts);
  }

  keep(feature: number, counts: Float64Array): void {
    // A table has fewer than 2^32 documents.
    if (counts.length * Uint32Array.BYTES_PER_ELEMENT > this.#rowBytes) return;
    this.#known.set(feature, new Uint32Array(counts));
  }
}

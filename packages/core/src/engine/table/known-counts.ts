/**
 * Counts of all documents of a table, by feature. They do not depend on the weights: the first call that adds up all
 * documents of a feature counts them, and later ones add up sums alone, one number a document instead of two.
 */
export class KnownCounts {
  readonly #known = new Map<number, Uint32Array>();
  readonly #rowBytes: number;

  /** @param rowBytes bytes of a feature's values: counts that take more memory are not kept, so 0 keeps none */
  constructor(rowBytes: number) {
    this.#rowBytes = rowBytes;
  }

  has(feature: number): boolean {
    return this.#known.has(feature);
  }

  /** A copy of the caller's own; null where they are not known. */
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

/** The addon's exports. */
export interface Native {
  /** The number of the widest instruction set of this processor (border/job.ts). */
  readonly instructions: number;
  readonly Counter: new (
    /** A packed job. */
    numbers: Uint8Array,
    /** The codes of a table, or the low and high words of thresholds. The words of the latter may be missing. */
    low: Uint32Array,
    high: Uint32Array,
  ) => Counter;
}

/** A prepared count. It may run any number of times, also concurrently. */
export interface Counter {
  /** Adds the counts of each channel to `counts`: rows in the order underflow, bins, overflow, NaN, or of 256 bytes. */
  countSync(bytes: Uint8Array, width: number, height: number, pitch: number, counts: Float64Array): void;
  /**
   * Does the same on other threads, and writes the counts. `control` is shared: word 0 stops the count if it is not 0, and words
   * 2 and 3 hold the number of pixels that were counted.
   */
  count(
    bytes: Uint8Array,
    width: number,
    height: number,
    pitch: number,
    counts: Float64Array,
    control: Uint32Array | null,
  ): Promise<void>;
}

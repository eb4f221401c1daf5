/** The result of a backend for a picture. */
export interface Counted {
  readonly backend: string;
  readonly device: string;
  readonly algorithm: string;
  /** For red, green, blue and alpha, the number of pixels with each of the 256 values. */
  readonly counts: readonly (readonly number[])[];
  /** Milliseconds of each run of the whole call; the first also compiles. */
  readonly ms: readonly number[];
}

/** A backend that did not count, and why. */
export interface NotCounted {
  readonly backend: string;
  readonly reason: string;
}

/** Counts the bins in which two backends differ. */
export function differences(a: Counted, b: Counted): number {
  return a.counts.reduce(
    (sum, channel, i) => sum + channel.filter((count, value) => count !== b.counts[i]?.[value]).length,
    0,
  );
}

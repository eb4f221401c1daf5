/** What a backend made of a picture. */
export interface Counted {
  readonly backend: string;
  readonly device: string;
  readonly algorithm: string;
  /** Of red, green, blue and alpha how many pixels have each of the 256 values. */
  readonly counts: readonly (readonly number[])[];
  /** Milliseconds of each run of the whole call; the first also compiles. */
  readonly ms: readonly number[];
}

/** A backend that did not count, and why. */
export interface NotCounted {
  readonly backend: string;
  readonly reason: string;
}

/** In how many bins two backends differ. */
export function differences(a: Counted, b: Counted): number {
  return a.counts.reduce(
    (sum, channel, i) => sum + channel.filter((count, value) => count !== b.counts[i]?.[value]).length,
    0,
  );
}

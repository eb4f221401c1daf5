/** The result of a backend for a picture. */
export interface Counted {
  readonly backend: string;
  readonly device: string;
  readonly algorithm: string;
  /** For each channel, the number of pixels with each value. */
  readonly counts: readonly ArrayLike<number>[];
  /** Milliseconds of each run of the whole call; the first also compiles. */
  readonly ms: readonly number[];
}

/** A backend that did not count, and why. */
export interface NotCounted {
  readonly backend: string;
  readonly reason: string;
}

export const isCounted = (result: Counted | NotCounted): result is Counted => "counts" in result;

/** The number of counts of a result. */
export const sizeOfCounts = ({ counts }: Counted): number =>
  counts.reduce((sum, channel) => sum + channel.length, 0);

/** Counts the bins in which two backends differ. */
export function differences(a: Counted, b: Counted): number {
  let found = 0;
  for (const [channel, counts] of a.counts.entries()) {
    const others = b.counts[channel];
    for (let value = 0; value < counts.length; value++) if (counts[value] !== others?.[value]) found += 1;
  }
  return found;
}

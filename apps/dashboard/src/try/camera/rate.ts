const SECOND = 1000;

interface Counted {
  /** When the count ended, in milliseconds. */
  readonly at: number;
  /** The duration of the count in milliseconds. */
  readonly ms: number;
}

/** How many frames of a video were counted and dropped, and how long the counts took. */
export class Rate {
  counted = 0;
  dropped = 0;
  fastestMs: number = Number.POSITIVE_INFINITY;
  readonly #last: Counted[] = [];

  /** Notes a counted frame. */
  count(at: number, ms: number): void {
    this.counted += 1;
    this.fastestMs = Math.min(this.fastestMs, ms);
    this.#last.push({ at, ms });
    while (this.#last[0]!.at <= at - SECOND) this.#last.shift();
  }

  /** Frames that were counted in the last second. */
  perSecond(now: number): number {
    return this.#last.filter(({ at }) => at > now - SECOND).length;
  }
}

const SECOND = 1000;

/** How many frames of a video were counted, and how many were dropped. */
export class Rate {
  counted = 0;
  dropped = 0;
  readonly #times: number[] = [];

  /** Notes a counted frame. @param now in milliseconds */
  count(now: number): void {
    this.counted += 1;
    this.#times.push(now);
    while (this.#times[0]! <= now - SECOND) this.#times.shift();
  }

  /** Frames that were counted in the last second. */
  perSecond(now: number): number {
    return this.#times.filter((time) => time > now - SECOND).length;
  }
}

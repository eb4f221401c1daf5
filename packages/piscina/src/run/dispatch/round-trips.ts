import { poolLimits } from "../../platform/index.ts";

/** The times of the last round trips to the workers, and the size of the inputs that are counted sooner without one. */
export class RoundTrips {
  readonly #last: number[] = [];

  /** Adds the milliseconds of a call minus those that its slowest worker counted. */
  add(ms: number): void {
    this.#last.push(ms);
    if (this.#last.length > poolLimits.trips) this.#last.shift();
  }

  /**
   * The number of bytes up to which the calling thread is as fast as this number of workers. Workers save a share of the
   * counting time, and a single worker saves none of it. The median ignores a trip that a busy machine delays.
   */
  syncBytes(threads: number): number {
    const { syncBytes, syncBytesLeast, syncBytesMost, bytesPerMicrosecond, tripsLeast } = poolLimits;
    if (this.#last.length < tripsLeast) return syncBytes;
    if (threads === 1) return syncBytesMost;
    const sorted = this.#last.toSorted((a, b) => a - b);
    const median = sorted[sorted.length >> 1]!;
    const bytes = Math.floor((median * 1000 * bytesPerMicrosecond) / (1 - 1 / threads));
    return Math.min(Math.max(bytes, syncBytesLeast), syncBytesMost);
  }
}

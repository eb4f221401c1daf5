import { poolLimits } from "../../platform/index.ts";

/** The cost of counting a launch with workers, and the speed of the calling thread in its own part. */
export interface Trip {
  /** Milliseconds of asking workers and waiting for their answers. */
  readonly ms: number;
  readonly bytesPerMs: number;
}

/** The last round trips to the workers, and the size of the inputs that are counted sooner without one. */
export class RoundTrips {
  readonly #last: Trip[] = [];
  readonly #workers: number;
  #aloneBytes: number = poolLimits.aloneBytes;

  constructor(workers: number) {
    this.#workers = workers;
  }

  add(trip: Trip): void {
    this.#last.push(trip);
    if (this.#last.length > poolLimits.trips) this.#last.shift();
    if (this.#last.length >= poolLimits.tripsLeast) this.#aloneBytes = this.#learnt();
  }

  /** The number of bytes up to which the calling thread is as fast as with the workers. */
  get aloneBytes(): number {
    return this.#aloneBytes;
  }

  /** Workers save a share of the counting time. The medians ignore a trip that a busy machine delays. */
  #learnt(): number {
    const { aloneBytesLeast, aloneBytesMost } = poolLimits;
    const ms = median(this.#last.map((trip) => trip.ms));
    const bytesPerMs = median(this.#last.map((trip) => trip.bytesPerMs));
    const saved = this.#workers / (this.#workers + 1);
    return Math.min(Math.max(Math.floor((ms * bytesPerMs) / saved), aloneBytesLeast), aloneBytesMost);
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}

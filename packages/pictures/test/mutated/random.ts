/** Reproducible random numbers: mulberry32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A number from 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `from` up to, but not including, `to`. Returns `from` if the range is empty. */
  whole(from: number, to: number): number {
    return to <= from ? from : from + Math.floor(this.next() * (to - from));
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.whole(0, 256));
  }

  pick<T>(of: readonly T[]): T {
    return of[this.whole(0, of.length)]!;
  }
}

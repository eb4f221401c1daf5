import type { Counter, Histogram } from "@polybin/core";
import type { ValueArray } from "../../table/index.ts";

/**
 * Counts arrays of any length in pieces of one size, because a counter plans anew for each size. Values that do not fill a
 * piece wait for the next array. One array is counted at a time.
 */
export class PieceCounter {
  readonly #counter: Counter;
  readonly #bytes: number;
  #waiting: ValueArray | null = null;
  #count = 0;

  /** @param bytes size of a piece */
  constructor(counter: Counter, bytes: number) {
    this.#counter = counter;
    this.#bytes = bytes;
  }

  /** Counts values. They must not change until the promise settles. */
  async add(values: ValueArray, signal: AbortSignal | undefined): Promise<void> {
    const length = Math.floor(this.#bytes / values.BYTES_PER_ELEMENT);
    let from = 0;
    if (this.#count > 0) {
      from = Math.min(length - this.#count, values.length);
      this.#keep(values.subarray(0, from), length);
      if (this.#count === length) await this.#flush(signal);
    }
    for (; from + length <= values.length; from += length) {
      await this.#counter.accumulate(values.subarray(from, from + length), { signal });
    }
    if (from < values.length) this.#keep(values.subarray(from), length);
  }

  /** Returns everything that was counted. */
  async take(): Promise<Histogram> {
    if (this.#count > 0) await this.#flush(undefined);
    return this.#counter.take();
  }

  free(): Promise<void> {
    this.#waiting = null;
    return this.#counter.free();
  }

  #keep(values: ValueArray, length: number): void {
    this.#waiting ??= new (values.constructor as new (length: number) => ValueArray)(length);
    // All arrays of a column have one type.
    (this.#waiting as Float64Array).set(values as Float64Array, this.#count);
    this.#count += values.length;
  }

  async #flush(signal: AbortSignal | undefined): Promise<void> {
    await this.#counter.accumulate(this.#waiting!.subarray(0, this.#count), { signal });
    this.#count = 0;
  }
}

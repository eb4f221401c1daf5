import { type Counter, isPolybinError } from "@polybin/core";
import type { ValueArray } from "../../table/index.ts";
import type { Bins } from "../partial/bins.ts";

/** Prepares a counter. The first full piece needs it. */
export type Prepare = () => Promise<Counter>;

/**
 * Counts arrays of any length in pieces of one size, because a counter plans anew for each size. Values that do not fill a
 * piece wait for the next array. One array is counted at a time.
 *
 * Pieces are counted on the calling thread if the engine can: they are so small that a message to another thread takes longer.
 */
export class PieceCounter {
  readonly #prepare: Prepare;
  readonly #bins: Bins;
  readonly #bytes: number;
  #counter: Counter | null = null;
  #isSync = true;
  #waiting: ValueArray | null = null;
  #count = 0;

  /**
   * @param bins receive the counts
   * @param bytes size of a piece
   */
  constructor(prepare: Prepare, bins: Bins, bytes: number) {
    this.#prepare = prepare;
    this.#bins = bins;
    this.#bytes = bytes;
  }

  /** Counts values. They must not change until the promise settles. */
  async add(values: ValueArray, signal: AbortSignal | undefined): Promise<void> {
    const length = Math.floor(this.#bytes / values.BYTES_PER_ELEMENT);
    let from = 0;
    if (this.#count > 0) {
      from = Math.min(length - this.#count, values.length);
      this.#keep(values.subarray(0, from), length);
      if (this.#count === length) {
        await this.#piece(this.#waiting!, signal);
        this.#count = 0;
      }
    }
    for (; from + length <= values.length; from += length) {
      await this.#piece(values.subarray(from, from + length), signal);
    }
    if (from < values.length) this.#keep(values.subarray(from), length);
  }

  /** Counts the values that wait. If they are all, no counter is prepared for them. */
  async end(): Promise<void> {
    if (this.#count === 0) return;
    const values = this.#waiting!.subarray(0, this.#count);
    if (this.#counter !== null) await this.#piece(values, undefined);
    // All values have one type.
    else this.#bins.addValues(values as Float64Array, null);
    this.#count = 0;
  }

  async free(): Promise<void> {
    this.#waiting = null;
    await this.#counter?.free();
  }

  #keep(values: ValueArray, length: number): void {
    this.#waiting ??= new (values.constructor as new (length: number) => ValueArray)(length);
    // All arrays of a column have one type.
    (this.#waiting as Float64Array).set(values as Float64Array, this.#count);
    this.#count += values.length;
  }

  async #piece(values: ValueArray, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.#counter ??= await this.#prepare();
    if (this.#isSync) {
      try {
        this.#bins.add(this.#counter.countSync(values));
        return;
      } catch (error) {
        if (!isPolybinError(error) || error.code !== "ERR_UNSUPPORTED") throw error;
        this.#isSync = false;
      }
    }
    this.#bins.add(await this.#counter.count(values, { signal }));
  }
}

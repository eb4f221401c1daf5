import { Refusal } from "./refusal.ts";

/** Counts the bytes that pictures hold, so that many that wait cannot fill the memory. */
export class Held {
  readonly #most: number;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Does work that holds so many bytes until it ends.
   * @throws Refusal 429 when too many are held already.
   */
  async during<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (this.#bytes + bytes > this.#most) {
      throw new Refusal(
        429,
        "ERR_BUSY",
        `expected pictures of at most ${this.#most} bytes at once; try again later`,
      );
    }
    this.#bytes += bytes;
    try {
      return await work();
    } finally {
      this.#bytes -= bytes;
    }
  }
}

import { Refusal } from "./refusal.ts";

/** Limits the bytes that pictures hold, so that waiting pictures cannot fill the memory. */
export class Held {
  readonly #most: number;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Runs work that holds `bytes` bytes until it ends.
   * @throws Refusal 429 if too many bytes are held already.
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

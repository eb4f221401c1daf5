/** Bounds the bytes of tasks that run. One task always may, however large it is. */
export class Budget {
  readonly #most: number;
  #used = 0;
  #wake: (() => void) | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  /** Waits until the bytes fit. One caller at a time. */
  async take(bytes: number): Promise<void> {
    while (this.#used > 0 && this.#used + bytes > this.#most) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#used += bytes;
  }

  /** Adds bytes to those that are taken, or returns some. */
  change(bytes: number): void {
    this.#used += bytes;
    this.#wake?.();
    this.#wake = null;
  }
}

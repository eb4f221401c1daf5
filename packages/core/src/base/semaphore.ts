/** Admits at most `most` holders at once. Others wait in the order in which they came. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Number of callers that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether a new caller would have to wait. */
  get full(): boolean {
    return this.#free === 0;
  }

  /** Enters if there is room. A caller that entered must call `leave`. */
  tryEnter(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  /** Gives the place to the next caller that waits. */
  leave(): void {
    if (this.#waiting.size === 0) {
      this.#free++;
      return;
    }
    const [next] = this.#waiting;
    next!();
  }

  /** Runs work when its turn comes. @throws the signal's reason if the signal aborts while the caller waits. */
  async hold<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (!this.tryEnter()) await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(enter);
        signal?.removeEventListener("abort", abort);
      };
      const enter = () => {
        leave();
        resolve();
      };
      const abort = () => {
        leave();
        reject(signal!.reason);
      };
      this.#waiting.add(enter);
      signal?.addEventListener("abort", abort);
    });
  }
}

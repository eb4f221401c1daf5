/** Lets `most` holders in at once and the others wait their turn, first come first served. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Would one who came now wait? */
  get full(): boolean {
    return this.#free === 0;
  }

  /** Enters where nobody needs to wait. Who entered must leave. */
  tryEnter(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  /** Gives the place to whoever waits. */
  leave(): void {
    if (this.#waiting.size === 0) {
      this.#free++;
      return;
    }
    const [next] = this.#waiting;
    next!();
  }

  /** Does work when its turn comes. @throws the signal's reason when it aborts before that. */
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

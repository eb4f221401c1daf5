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

  /** Does work when its turn comes. @throws the signal's reason when it aborts before that. */
  async hold<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#free++;
      else next();
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

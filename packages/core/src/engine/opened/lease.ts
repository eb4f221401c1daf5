/** Memory of a device that calls use until it is freed. Freeing waits for the calls that were made before it. */
export class Lease {
  readonly #release: () => Promise<void>;
  readonly #running = new Set<Promise<unknown>>();
  #freeing: Promise<void> | null = null;

  constructor(release: () => Promise<void>) {
    this.#release = release;
  }

  get freed(): boolean {
    return this.#freeing !== null;
  }

  /** Runs a call, which learns whether the memory was already freed when the call was made. */
  async use<T>(call: (freed: boolean) => Promise<T>): Promise<T> {
    const running = call(this.freed);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Frees the memory once. A second call waits for the first. */
  free(): Promise<void> {
    this.#freeing ??= Promise.allSettled(this.#running).then(this.#release);
    return this.#freeing;
  }
}

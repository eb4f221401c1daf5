/**
 * The values that were used last, by a text that names everything that they depend on. A key that leaves out a part of
 * a request would give one request the value of another, so the engine makes the keys of its jobs in one place. The
 * value that was not used for the longest time goes first.
 */
export class Memory<V extends object> {
  readonly #most: number;
  readonly #kept = new Map<string, V>();

  /** @param most number of values that are kept */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the value of a key, or makes it. A failure is not kept. */
  of(key: string, make: () => V): V {
    const value = this.#kept.get(key) ?? make();
    // A Map's first entry is its oldest.
    this.#kept.delete(key);
    this.#kept.set(key, value);
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value!);
    return value;
  }
}

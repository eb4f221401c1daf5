/** The values that were used last, by their keys. The one that was not used for the longest time goes first. */
export class Lately<K, V> {
  readonly #most: number;
  readonly #drop: (value: V) => void;
  readonly #kept = new Map<K, V>();

  /** `drop` lets a value go that is no longer kept. */
  constructor(most: number, drop: (value: V) => void = () => {}) {
    this.#most = most;
    this.#drop = drop;
  }

  /** Returns the value of a key if it is kept. This is no use of it. */
  found(key: K): V | undefined {
    return this.#kept.get(key);
  }

  /** Returns the value of a key, or makes it. */
  of(key: K, make: () => V): V {
    const value = this.#kept.get(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, value);
    if (this.#kept.size > this.#most) {
      // The first entry of a Map is the oldest.
      const [oldest, old] = this.#kept.entries().next().value!;
      this.#kept.delete(oldest);
      this.#drop(old);
    }
    return value;
  }

  /** Forgets a value, which is not dropped. */
  delete(key: K): void {
    this.#kept.delete(key);
  }

  clear(): void {
    for (const value of this.#kept.values()) this.#drop(value);
    this.#kept.clear();
  }
}

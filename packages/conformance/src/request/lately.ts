/** Values that were made lately, by everything that they depend on. */
export class Lately<K, V> {
  readonly #most: number;
  readonly #kept = new Map<K, V>();

  constructor(most: number) {
    this.#most = most;
  }

  of(key: K, make: () => V): V {
    let value = this.#kept.get(key);
    if (value !== undefined) return value;
    value = make();
    this.#kept.set(key, value);
    if (this.#kept.size > this.#most) this.#kept.delete(this.#kept.keys().next().value!);
    return value;
  }
}

/**
 * Work that is begun once for each object and kept as long as it lives, but for a failure: whoever asks next tries anew.
 * What was kept is forgotten at once when a device is closed, whoever still holds the objects.
 */
export class Kept<Of extends object, T> {
  readonly #begin: (of: Of) => Promise<T>;
  #work = new WeakMap<Of, Promise<T>>();

  constructor(begin: (of: Of) => Promise<T>) {
    this.#begin = begin;
  }

  get(of: Of): Promise<T> {
    const known = this.#work.get(of);
    if (known !== undefined) return known;
    const work = this.#begin(of);
    this.#work.set(of, work);
    // Whoever waits for it hears of it.
    work.catch(() => this.#work.delete(of));
    return work;
  }

  forget(): void {
    this.#work = new WeakMap();
  }
}

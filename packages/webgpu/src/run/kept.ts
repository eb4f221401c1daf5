/** Work that is begun once and kept, but for a failure: whoever asks next tries anew. */
export class Kept<T> {
  readonly #begin: () => Promise<T>;
  #work: Promise<T> | null = null;

  constructor(begin: () => Promise<T>) {
    this.#begin = begin;
  }

  get(): Promise<T> {
    if (this.#work === null) {
      const work = this.#begin();
      this.#work = work;
      // Whoever waits for it hears of it.
      work.catch(() => {
        this.#work = null;
      });
    }
    return this.#work;
  }
}

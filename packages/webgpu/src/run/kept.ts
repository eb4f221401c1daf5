/**
 * Work that is started once per object and kept as long as the object lives. After a failure, the next caller starts it
 * again. When a device is closed, all work is dropped at once, even if somebody still holds the objects.
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
    // Callers that wait for the work receive the error.
    work.catch(() => this.#work.delete(of));
    return work;
  }

  forget(): void {
    this.#work = new WeakMap();
  }
}

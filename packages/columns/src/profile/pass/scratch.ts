import type { Engine } from "@polybin/core";

/** Arrays of doubles that are used again, in memory that the engine's device reaches fastest. */
export class Scratch {
  readonly #engine: Engine;
  #free: Float64Array[] = [];

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Returns an array of at least this length, with any contents. */
  take(length: number): Float64Array {
    const found = this.#free.findIndex((array) => array.length >= length);
    if (found >= 0) return this.#free.splice(found, 1)[0]!;
    // Arrays that are too small would pile up.
    this.#free = [];
    return this.#engine.allocate(length, "f64");
  }

  give(array: Float64Array): void {
    this.#free.push(array);
  }
}

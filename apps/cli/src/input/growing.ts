import { PolybinError } from "@polybin/core";

const FIRST_LENGTH = 16;

/** A typed array that grows while values come: a file does not say beforehand how many it has. */
export class Growing<A extends Float32Array | Float64Array | Uint32Array> {
  readonly #make: new (
    length: number,
  ) => A;
  #array: A;
  #length = 0;

  constructor(make: new (length: number) => A) {
    this.#make = make;
    this.#array = new make(FIRST_LENGTH);
  }

  /** @throws ERR_OUT_OF_MEMORY */
  push(value: number): void {
    if (this.#length === this.#array.length) this.#grow();
    this.#array[this.#length++] = value;
  }

  get length(): number {
    return this.#length;
  }

  /** What came so far, in place. */
  get values(): A {
    return this.#array.subarray(0, this.#length) as A;
  }

  #grow(): void {
    try {
      const wider = new this.#make(2 * this.#array.length);
      wider.set(this.#array);
      this.#array = wider;
    } catch (error) {
      throw new PolybinError("ERR_OUT_OF_MEMORY", `no memory for ${2 * this.#array.length} values`, {
        cause: error,
      });
    }
  }
}

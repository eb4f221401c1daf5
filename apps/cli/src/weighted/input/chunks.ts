import { PolybinError } from "@polybin/core";

/** Values per chunk: 4 or 8 MiB. */
const CHUNK_VALUES = 2 ** 20;

type Numbers = Float32Array | Float64Array | Uint32Array;
type Maker<A extends Numbers> = new (length: number) => A;

/**
 * Numbers that come one by one, in an unknown amount. Memory grows by chunks, so that growing never needs a second copy of
 * all numbers.
 */
export class Chunks<A extends Numbers> {
  readonly #make: Maker<A>;
  readonly #chunks: A[] = [];
  #length = 0;

  constructor(make: Maker<A>) {
    this.#make = make;
  }

  /** @throws ERR_OUT_OF_MEMORY */
  push(value: number): void {
    const place = this.#length % CHUNK_VALUES;
    if (place === 0) this.#chunks.push(allocated(this.#make, CHUNK_VALUES));
    this.#chunks.at(-1)![place] = value;
    this.#length += 1;
  }

  get length(): number {
    return this.#length;
  }

  /** The value at a place below `length`. */
  at(place: number): number {
    return this.#chunks[Math.floor(place / CHUNK_VALUES)]![place % CHUNK_VALUES]!;
  }

  /** All of them, copied into one array. @throws ERR_OUT_OF_MEMORY */
  gathered(): A {
    const out = allocated(this.#make, this.#length);
    for (const [i, chunk] of this.#chunks.entries()) {
      const first = i * CHUNK_VALUES;
      out.set(chunk.subarray(0, Math.min(CHUNK_VALUES, this.#length - first)), first);
    }
    return out;
  }
}

/** An array of zeros. @throws ERR_OUT_OF_MEMORY */
export function allocated<A extends Numbers>(make: Maker<A>, length: number): A {
  try {
    return new make(length);
  } catch (error) {
    throw new PolybinError("ERR_OUT_OF_MEMORY", `no memory for ${length} values`, { cause: error });
  }
}

import { SPARE_BYTES } from "./limits.ts";

/** Memory for the values of batches. It is used again, so that the garbage collector has little to do. */
export class Memory {
  /** The one that was given last is at the end. */
  readonly #spare: ArrayBuffer[] = [];
  #bytes = 0;

  /** Returns memory of at least this size, with any contents. Less than half of it is wasted. */
  take(bytes: number): ArrayBuffer {
    const found = this.#spare.findLastIndex(
      ({ byteLength }) => byteLength >= bytes && byteLength <= 2 * bytes,
    );
    if (found < 0) return Buffer.allocUnsafeSlow(bytes).buffer as ArrayBuffer;
    const [memory] = this.#spare.splice(found, 1);
    this.#bytes -= memory!.byteLength;
    return memory!;
  }

  /** Takes memory that nobody uses any more. If there is too much, what was not used for the longest time is freed. */
  give(memory: ArrayBuffer): void {
    if (memory.byteLength === 0) return;
    this.#spare.push(memory);
    this.#bytes += memory.byteLength;
    while (this.#bytes > SPARE_BYTES) {
      const oldest = this.#spare.shift()!;
      this.#bytes -= oldest.byteLength;
      oldest.transfer(0);
    }
  }
}

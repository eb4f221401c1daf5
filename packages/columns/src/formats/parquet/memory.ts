import { SPARE_BYTES } from "./limits.ts";

/** Memory for the values of batches. It is used again, so that the garbage collector has little to do. */
export class Memory {
  readonly #spare: ArrayBuffer[] = [];
  #bytes = 0;

  /** Returns memory of at least this size, with any contents. Less than half of it is wasted. */
  take(bytes: number): ArrayBuffer {
    const found = this.#spare.findIndex(({ byteLength }) => byteLength >= bytes && byteLength <= 2 * bytes);
    if (found < 0) return Buffer.allocUnsafeSlow(bytes).buffer as ArrayBuffer;
    const [memory] = this.#spare.splice(found, 1);
    this.#bytes -= memory!.byteLength;
    return memory!;
  }

  /** Takes memory that nobody uses any more. */
  give(memory: ArrayBuffer): void {
    if (this.#bytes + memory.byteLength > SPARE_BYTES) memory.transfer(0);
    else {
      this.#spare.push(memory);
      this.#bytes += memory.byteLength;
    }
  }
}

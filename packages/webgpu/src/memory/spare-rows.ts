import { own } from "../platform/index.ts";

/** The rows of counts that were freed last, for the next call that leaves as many: fresh memory takes milliseconds. */
export class SpareRows {
  #buffer: GPUBuffer | null = null;

  /** One of this size, which holds what it held; null: there is none. */
  take(bytes: number): GPUBuffer | null {
    if (this.#buffer?.size !== bytes) return null;
    const found = this.#buffer;
    this.#buffer = null;
    return found;
  }

  keep(buffer: GPUBuffer): void {
    const isKept = buffer.size <= own.SPARE_ROWS_BYTES;
    (isKept ? this.#buffer : buffer)?.destroy();
    if (isKept) this.#buffer = buffer;
  }

  free(): void {
    this.#buffer?.destroy();
    this.#buffer = null;
  }
}

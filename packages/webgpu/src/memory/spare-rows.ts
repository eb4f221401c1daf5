import { own } from "../platform/index.ts";

/** Keeps the count rows that were freed last for the next call of the same size. Allocating new memory takes milliseconds. */
export class SpareRows {
  #buffer: GPUBuffer | null = null;

  /** Returns a buffer of this size with its old content, or null if there is none. */
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

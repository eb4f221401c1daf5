import { eachSegmentRun, type Segments } from "@polybin/core/backend";
import type { Geometry } from "./chunks.ts";

/** Bytes of a run from which on Buffer's copy is faster than a loop. */
const LONG_RUN = 256;

/** Copies pixels in the order of segments from samples to where they lie one behind the other. */
export class OrderReader {
  readonly #bytes: Uint8Array;
  readonly #geometry: Geometry;
  readonly #segments: Segments;

  constructor(bytes: Uint8Array, geometry: Geometry, segments: Segments) {
    this.#bytes = bytes;
    this.#geometry = geometry;
    this.#segments = segments;
  }

  /** The pixels [from, to) of the order, to the beginning of `out`. */
  copy(from: number, to: number, out: Uint8Array): void {
    const { width, rowPitch, pixelBytes } = this.#geometry;
    let at = 0;
    eachSegmentRun(this.#segments, from, to, (first, count) => {
      for (let pixel = first; pixel < first + count; ) {
        const row = Math.floor(pixel / width);
        const column = pixel - row * width;
        const some = Math.min(first + count - pixel, width - column);
        const length = some * pixelBytes;
        this.#copyRun(row * rowPitch + column * pixelBytes, length, out, at);
        at += length;
        pixel += some;
      }
    });
  }

  #copyRun(start: number, length: number, out: Uint8Array, at: number): void {
    const bytes = this.#bytes;
    if (length >= LONG_RUN) copyBytes(bytes, start, length, out, at);
    else for (let i = 0; i < length; i++) out[at + i] = bytes[start + i]!;
  }
}

/** Buffer's copy from shared memory is twice as fast as Uint8Array's `set`. */
function copyBytes(
  { buffer, byteOffset, byteLength }: Uint8Array,
  start: number,
  length: number,
  out: Uint8Array,
  at: number,
): void {
  Buffer.from(buffer, byteOffset, byteLength).copy(out, at, start, start + length);
}

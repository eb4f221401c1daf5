import { eachSegmentRun, limits, type Segments } from "@polybin/core/backend";
import type { Geometry } from "./chunks.ts";

/** Runs of this number of bytes or more are copied faster by Buffer's copy than by a loop. */
const LONG_RUN = 512;

/** Copies pixels in the order of segments to consecutive memory. */
export class OrderReader {
  readonly #geometry: Geometry;
  readonly #segments: Segments;
  readonly #from: Memory;

  constructor(bytes: Uint8Array, geometry: Geometry, segments: Segments) {
    this.#geometry = geometry;
    this.#segments = segments;
    this.#from = memoryOf(bytes);
  }

  /** Returns a function that copies the pixels [from, to) of the order to the beginning of `out`. */
  into(out: Uint8Array): (from: number, to: number) => void {
    const { width, rowPitch, pixelBytes } = this.#geometry;
    const to = memoryOf(out);
    const copyRun = (first: number, count: number, done: number): void => {
      let at = done * pixelBytes;
      for (let pixel = first; pixel < first + count; ) {
        const row = Math.floor(pixel / width);
        const column = pixel - row * width;
        const some = Math.min(first + count - pixel, width - column);
        const length = some * pixelBytes;
        copy(this.#from, row * rowPitch + column * pixelBytes, length, to, at);
        at += length;
        pixel += some;
      }
    };
    return (from, until) => eachSegmentRun(this.#segments, from, until, copyRun);
  }
}

/** The same bytes in the form for each way to copy them. */
interface Memory {
  readonly bytes: Uint8Array;
  /** Buffer's copy from shared memory is twice as fast as Uint8Array's `set`. */
  readonly buffer: Buffer;
  /** Whole words, if the bytes begin at a word. */
  readonly words: Uint32Array | null;
}

function memoryOf(bytes: Uint8Array): Memory {
  const { buffer, byteOffset, byteLength } = bytes;
  const isAligned = byteOffset % limits.WORD_BYTES === 0;
  const words = Math.floor(byteLength / limits.WORD_BYTES);
  return {
    bytes,
    buffer: Buffer.from(buffer, byteOffset, byteLength),
    words: isAligned ? new Uint32Array(buffer, byteOffset, words) : null,
  };
}

/** Copies a run. For a short one, such as a tile's row, a loop is faster than Buffer's copy. */
function copy(from: Memory, start: number, length: number, to: Memory, at: number): void {
  if (length >= LONG_RUN) from.buffer.copy(to.buffer, at, start, start + length);
  else if (from.words !== null && to.words !== null && areWhole(start, length, at)) {
    copyWords(
      from.words,
      start / limits.WORD_BYTES,
      length / limits.WORD_BYTES,
      to.words,
      at / limits.WORD_BYTES,
    );
  } else for (let i = 0; i < length; i++) to.bytes[at + i] = from.bytes[start + i]!;
}

function areWhole(start: number, length: number, at: number): boolean {
  // If a start is above 2^32, its lower bits are still correct here.
  return ((start | length | at) & (limits.WORD_BYTES - 1)) === 0;
}

function copyWords(from: Uint32Array, start: number, length: number, to: Uint32Array, at: number): void {
  for (let i = 0; i < length; i++) to[at + i] = from[start + i]!;
}

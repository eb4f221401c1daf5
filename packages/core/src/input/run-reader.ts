import { bytesFrom } from "./bytes.ts";
import { arrayOver, SAMPLE_TRAITS, type SampleArray } from "./sample-types.ts";
import type { Samples } from "./samples.ts";

/** Passes runs of pixels to a counter, in place if alignment allows, otherwise as copies. */
export class RunReader {
  readonly #of: Samples;
  readonly #all: SampleArray | null;
  /** Bytes of the samples when they were checked. */
  readonly #length: number;

  constructor(of: Samples) {
    const { type, bytes, rowPitch, dense } = of;
    const size = SAMPLE_TRAITS[type].bytes;
    const isAligned = bytes.byteOffset % size === 0 && (dense || rowPitch % size === 0);
    this.#of = of;
    this.#all = isAligned ? arrayOver(type, bytes) : null;
    this.#length = bytes.byteLength;
  }

  /**
   * @param use receives an array, the start of the run in it, the run's number of samples of all channels, and the pixels
   * of the runs before
   * @throws ERR_INPUT if the memory is gone.
   */
  each(
    pixel: number,
    count: number,
    use: (array: SampleArray, at: number, samples: number, done: number) => void,
  ): void {
    const { type, bytes, channels, width, dense } = this.#of;
    const size = SAMPLE_TRAITS[type].bytes;
    const pixelBytes = size * channels;
    for (let at = pixel; at < pixel + count; ) {
      const row = dense ? 0 : Math.floor(at / width);
      const some = dense ? count : Math.min(pixel + count - at, (row + 1) * width - at);
      const start = this.#startOf(at);
      const length = some * pixelBytes;
      if (this.#all === null || bytes.byteLength < start + length) {
        const run = arrayOver(type, bytesFrom(bytes, start, length));
        use(run, 0, run.length, at - pixel);
      } else use(this.#all, start / size, some * channels, at - pixel);
      at += some;
    }
  }

  /** Copies one channel of the pixels with these indices. @throws ERR_INPUT if the memory is gone. */
  gather(indices: Uint32Array, channel: number): SampleArray {
    const { type, bytes } = this.#of;
    const size = SAMPLE_TRAITS[type].bytes;
    const all = bytesFrom(bytes, 0, this.#length);
    const out = new Uint8Array(indices.length * size);
    let to = 0;
    for (let i = 0; i < indices.length; i++) {
      const from = this.#startOf(indices[i]!) + channel * size;
      for (let byte = 0; byte < size; byte++) out[to++] = all[from + byte]!;
    }
    return arrayOver(type, out);
  }

  /** Returns the first byte of a pixel. */
  #startOf(pixel: number): number {
    const { type, channels, width, rowPitch, dense } = this.#of;
    const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
    if (dense) return pixel * pixelBytes;
    const row = Math.floor(pixel / width);
    return row * rowPitch + (pixel - row * width) * pixelBytes;
  }
}

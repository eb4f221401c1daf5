import { limits } from "@polybin/core/backend";
import { type Hardware, own, type Scoped } from "../platform/index.ts";
import { Staging } from "./staging.ts";

/** Writes `size` bytes of the whole, starting with its byte `from`, to the start of `into`. */
export type Write = (from: number, size: number, into: Uint8Array) => void;

/** Copies host memory to buffers. */
export class Filler {
  readonly #hardware: Hardware;
  readonly #staging: Staging;

  constructor(hardware: Hardware) {
    this.#hardware = hardware;
    this.#staging = new Staging(hardware);
  }

  /**
   * Copies `bytes` bytes to a buffer's start, in pieces through mapped memory. While the host fills one piece, the
   * device copies the pieces before it. A piece has `piece` bytes, which are whole words.
   */
  async fill(
    to: GPUBuffer,
    bytes: number,
    piece: number,
    signal: AbortSignal | undefined,
    write: Write,
  ): Promise<void> {
    const accepted: Promise<void>[] = [];
    for (let from = 0; from < bytes; from += piece) {
      signal?.throwIfAborted();
      const { errors } = await this.#copy(to, from, Math.min(piece, bytes - from), write);
      // The first failure is thrown below. An abort does not wait for the other promises.
      errors.catch(() => {});
      accepted.push(errors);
    }
    await Promise.all(accepted);
  }

  /** Submits the copy of a piece. `errors` settles when the device has accepted or refused it. */
  async #copy(to: GPUBuffer, from: number, size: number, write: Write): Promise<Scoped<void>> {
    const { device } = this.#hardware;
    const padded = padded4(size);
    if (padded <= own.WRITE_BYTES) {
      const copy = new Uint8Array(padded);
      write(from, size, copy);
      this.#hardware.check();
      // The device has accepted this buffer, so it cannot refuse the write.
      device.queue.writeBuffer(to, from, copy);
      return { value: undefined, errors: Promise.resolve() };
    }
    const slot = await this.#staging.take(padded);
    write(from, size, slot.bytes);
    return this.#staging.send(slot, (encoder) => {
      encoder.copyBufferToBuffer(slot.buffer, 0, to, from, padded);
    });
  }

  free(): void {
    this.#staging.free();
  }
}

/** Rounds up to whole words, because copies are whole words. */
export function padded4(bytes: number): number {
  return limits.divideCeiling(bytes, limits.WORD_BYTES) * limits.WORD_BYTES;
}

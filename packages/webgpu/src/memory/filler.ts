import { limits } from "@polybin/core/backend";
import { type Hardware, own, type Scoped } from "../platform/index.ts";
import { Staging } from "./staging.ts";

/** Writes `size` bytes, from byte `from` of the whole on, to the start of `into`. */
export type Write = (from: number, size: number, into: Uint8Array) => void;

/** Brings host memory into buffers. */
export class Filler {
  readonly #hardware: Hardware;
  readonly #staging: Staging;

  constructor(hardware: Hardware) {
    this.#hardware = hardware;
    this.#staging = new Staging(hardware);
  }

  /**
   * Copies so many bytes to a buffer's start, in pieces through mapped memory: while the host fills one, the device
   * copies those before it. `piece`: bytes of one, whole words.
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
      // Whoever fails first is thrown below; an abort leaves the others behind.
      errors.catch(() => {});
      accepted.push(errors);
    }
    await Promise.all(accepted);
  }

  /** Submits the copy of a piece; `errors` settles when it is known whether it was accepted. */
  async #copy(to: GPUBuffer, from: number, size: number, write: Write): Promise<Scoped<void>> {
    const { device } = this.#hardware;
    const padded = padded4(size);
    if (padded <= own.WRITE_BYTES) {
      const copy = new Uint8Array(padded);
      write(from, size, copy);
      this.#hardware.check();
      // Into a buffer that the device has accepted: there is nothing to refuse.
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

/** Copies are whole words. */
export function padded4(bytes: number): number {
  return limits.divideCeiling(bytes, limits.WORD_BYTES) * limits.WORD_BYTES;
}

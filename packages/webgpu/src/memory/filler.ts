import { limits } from "@polybin/core/backend";
import { type Hardware, MAP, own, USAGE } from "../platform/index.ts";
import type { Growing } from "./buffers.ts";

/** Writes `size` bytes of the whole, starting with its byte `from`, to the start of `into`. */
export type Write = (from: number, size: number, into: Uint8Array) => void;

/** A buffer that the host writes and the device copies from. */
interface Slot {
  readonly buffer: GPUBuffer;
  /** Settles when the device has accepted the last commands and the buffer is mapped again. */
  ready: Promise<void>;
}

/**
 * Copies host memory to buffers, in pieces through mapped memory. The slots rotate: while the host fills one, the device
 * copies those before it.
 */
export class Filler {
  readonly #hardware: Hardware;
  readonly #slots: (Slot | undefined)[] = Array.from({ length: own.PIECES });
  #next = 0;

  constructor(hardware: Hardware) {
    this.#hardware = hardware;
  }

  /** Copies `bytes` bytes to a buffer's start. A piece has `piece` bytes, which are whole words. */
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
      const size = Math.min(piece, bytes - from);
      const padded = padded4(size);
      if (padded <= own.WRITE_BYTES) {
        const copy = new Uint8Array(padded);
        write(from, size, copy);
        this.#hardware.check();
        // The device has accepted this buffer, so it cannot refuse the write.
        this.#hardware.device.queue.writeBuffer(to, from, copy);
        continue;
      }
      const slot = await this.#take(padded);
      write(from, size, new Uint8Array(slot.buffer.getMappedRange()));
      accepted.push(this.#send(slot, to, from, padded));
    }
    await Promise.all(accepted);
  }

  /** Copies an array to a shared buffer, which becomes as large as that. `write` lays its bytes out. */
  async copy(
    array: ArrayBufferView,
    to: Growing,
    most: number,
    signal: AbortSignal | undefined,
    write?: Write,
  ): Promise<GPUBuffer> {
    const { byteLength } = array;
    const bytes = new Uint8Array(array.buffer, array.byteOffset, byteLength);
    const buffer = to.found(byteLength) ?? (await this.#hardware.checked(() => to.of(byteLength, most)));
    const plain: Write = (from, size, into) => into.set(bytes.subarray(from, from + size));
    await this.fill(buffer, byteLength, own.PIECE_BYTES, signal, write ?? plain);
    return buffer;
  }

  /** Takes the next slot, mapped and with room for this number of bytes. */
  async #take(bytes: number): Promise<Slot> {
    const at = this.#next;
    this.#next = (at + 1) % this.#slots.length;
    let slot = this.#slots[at];
    if (slot === undefined || slot.buffer.size < bytes) {
      slot?.buffer.destroy();
      this.#slots[at] = undefined;
      slot = await this.#make(bytes);
      this.#slots[at] = slot;
    }
    await this.#hardware.watched(slot.ready);
    return slot;
  }

  async #make(bytes: number): Promise<Slot> {
    const size = Math.max(bytes, Math.min(own.PIECE_BYTES, 2 ** Math.ceil(Math.log2(bytes))));
    const usage = USAGE.MAP_WRITE | USAGE.COPY_SRC;
    const buffer = await this.#hardware.checked(() =>
      this.#hardware.device.createBuffer({ size, usage, mappedAtCreation: true }),
    );
    return { buffer, ready: Promise.resolve() };
  }

  /**
   * Submits the copy of a slot, which is free again when the device has copied.
   * @returns a promise that settles when the device has accepted or refused the copy
   */
  #send(slot: Slot, to: GPUBuffer, at: number, bytes: number): Promise<void> {
    const { device } = this.#hardware;
    const { value: mapping, errors } = this.#hardware.scoped(() => {
      slot.buffer.unmap();
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(slot.buffer, 0, to, at, bytes);
      device.queue.submit([encoder.finish()]);
      return slot.buffer.mapAsync(MAP.WRITE);
    });
    // If the device refused the commands, this rejects with that reason instead of the failed mapping.
    slot.ready = errors.then(() => mapping).then(() => {});
    // A refusal or a lost device shows when the slot is taken again, or in the caller's own wait, if either happens.
    for (const promise of [mapping, slot.ready, errors]) promise.catch(() => {});
    return errors;
  }

  free(): void {
    for (const slot of this.#slots) slot?.buffer.destroy();
    this.#slots.fill(undefined);
  }
}

/** Rounds up to whole words, because copies are whole words. */
export function padded4(bytes: number): number {
  return limits.divideCeiling(bytes, limits.WORD_BYTES) * limits.WORD_BYTES;
}

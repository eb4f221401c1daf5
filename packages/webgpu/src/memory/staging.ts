import { type Hardware, MAP, own, type Scoped, USAGE } from "../platform/index.ts";

/** A buffer that the host writes and the device copies from. */
export interface Slot {
  readonly buffer: GPUBuffer;
  /** The buffer's memory while it is mapped. */
  bytes: Uint8Array | null;
  /** Settles when the device has accepted the last commands and the buffer is mapped again. */
  ready: Promise<void>;
}

/** Buffers in rotation: while the host fills one, the device copies those before it. */
export class Staging {
  readonly #hardware: Hardware;
  readonly #slots: (Slot | undefined)[] = Array.from({ length: own.PIECES });
  #next = 0;

  constructor(hardware: Hardware) {
    this.#hardware = hardware;
  }

  /** Takes the next slot, mapped and with room for this number of bytes. */
  async take(bytes: number): Promise<Slot & { readonly bytes: Uint8Array }> {
    const at = this.#next;
    this.#next = (at + 1) % this.#slots.length;
    let slot = this.#slots[at];
    if (slot !== undefined && slot.buffer.size < bytes) {
      slot.buffer.destroy();
      slot = undefined;
      this.#slots[at] = undefined;
    }
    if (slot === undefined) {
      slot = await this.#make(bytes);
      this.#slots[at] = slot;
    }
    await this.#hardware.watched(slot.ready);
    slot.bytes ??= new Uint8Array(slot.buffer.getMappedRange());
    return slot as Slot & { readonly bytes: Uint8Array };
  }

  async #make(bytes: number): Promise<Slot> {
    const size = Math.min(own.PIECE_BYTES, 2 ** Math.ceil(Math.log2(bytes)));
    const buffer = await this.#hardware.checked(() =>
      this.#hardware.device.createBuffer({
        size: Math.max(size, bytes),
        usage: USAGE.MAP_WRITE | USAGE.COPY_SRC,
        mappedAtCreation: true,
      }),
    );
    return { buffer, bytes: null, ready: Promise.resolve() };
  }

  /** Submits commands that copy from the slot. The slot is free again when the device has copied. */
  send(slot: Slot, record: (encoder: GPUCommandEncoder) => void): Scoped<void> {
    const { device } = this.#hardware;
    const { value: mapping, errors } = this.#hardware.scoped(() => {
      slot.buffer.unmap();
      slot.bytes = null;
      const encoder = device.createCommandEncoder();
      record(encoder);
      device.queue.submit([encoder.finish()]);
      return slot.buffer.mapAsync(MAP.WRITE);
    });
    // If the device refused the commands, this rejects with that reason instead of the failed mapping.
    slot.ready = errors.then(() => mapping).then(() => {});
    // A refusal or a lost device shows when the slot is taken again, if that happens at all.
    mapping.catch(() => {});
    slot.ready.catch(() => {});
    return { value: undefined, errors };
  }

  free(): void {
    for (const slot of this.#slots) slot?.buffer.destroy();
    this.#slots.fill(undefined);
  }
}

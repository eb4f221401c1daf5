import { type Hardware, MAP, own, type Scoped, USAGE } from "../platform/index.ts";

/** A buffer that the host writes and the device copies from. */
export interface Slot {
  readonly buffer: GPUBuffer;
  /** Its memory, while it is mapped. */
  bytes: Uint8Array | null;
  /** When what was sent last was accepted, and it is mapped again. */
  ready: Promise<void>;
}

/** Buffers that take turns: while one is filled, those before it are copied. */
export class Staging {
  readonly #hardware: Hardware;
  readonly #slots: (Slot | undefined)[] = Array.from({ length: own.PIECES });
  #next = 0;

  constructor(hardware: Hardware) {
    this.#hardware = hardware;
  }

  /** The next one, mapped, with room for so many bytes. */
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

  /** Submits commands that copy from it. It can be taken again when the device has copied. */
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
    // What was refused is the reason why there is nothing to map.
    slot.ready = errors.then(() => mapping).then(() => {});
    // That, and a device that is lost, is found out when the slot is taken again, if ever.
    mapping.catch(() => {});
    slot.ready.catch(() => {});
    return { value: undefined, errors };
  }

  free(): void {
    for (const slot of this.#slots) slot?.buffer.destroy();
    this.#slots.fill(undefined);
  }
}

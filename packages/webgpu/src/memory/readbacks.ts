import { type Hardware, own, USAGE } from "../platform/index.ts";
import { padded, rounded } from "./buffers.ts";

/** Buffers that the host reads. One call at a time uses each. */
export class Readbacks {
  readonly #hardware: Hardware;
  /** Idle buffers by their size. */
  readonly #idle = new Map<number, GPUBuffer[]>();
  #idleBytes = 0;

  constructor(hardware: Hardware) {
    this.#hardware = hardware;
  }

  /** Returns an idle buffer with room for this number of bytes, or null. */
  idle(bytes: number): GPUBuffer | null {
    const found = this.#idle.get(sizeOf(bytes))?.pop() ?? null;
    if (found !== null) this.#idleBytes -= found.size;
    return found;
  }

  make(bytes: number): GPUBuffer {
    const usage = USAGE.MAP_READ | USAGE.COPY_DST;
    return this.#hardware.device.createBuffer({ size: sizeOf(bytes), usage });
  }

  /** Waits until a buffer is mapped, and passes its first bytes to `take`. They are gone when it returns. */
  async read<T>(
    from: GPUBuffer,
    bytes: number,
    mapped: Promise<unknown>,
    take: (bytes: ArrayBuffer) => T,
  ): Promise<T> {
    try {
      await this.#hardware.watched(mapped);
      const taken = take(from.getMappedRange(0, bytes));
      from.unmap();
      this.give(from);
      return taken;
    } catch (error) {
      // A buffer that the device refused, or that is still mapped, cannot be used again.
      from.destroy();
      throw error;
    }
  }

  /** Takes back an unmapped buffer. If there is no room for it, those that have been idle go. */
  give(buffer: GPUBuffer): void {
    if (this.#idleBytes + buffer.size > own.IDLE_READBACK_BYTES) this.free();
    const same = this.#idle.get(buffer.size) ?? [];
    this.#idle.set(buffer.size, same);
    same.push(buffer);
    this.#idleBytes += buffer.size;
  }

  free(): void {
    for (const buffer of [...this.#idle.values()].flat()) buffer.destroy();
    this.#idle.clear();
    this.#idleBytes = 0;
  }
}

/** Equal sizes are found again. A buffer that would be kept alone has no room to spare. */
function sizeOf(bytes: number): number {
  return bytes > own.IDLE_READBACK_BYTES ? padded(bytes) : Math.max(own.READBACK_BYTES, rounded(bytes));
}

import { own, USAGE } from "../platform/index.ts";
import { rounded } from "./buffers.ts";

/** Buffers that the host reads. One call at a time uses each. */
export class Readbacks {
  readonly #device: GPUDevice;
  /** Idle buffers by their size. */
  readonly #idle = new Map<number, GPUBuffer[]>();
  #idleBytes = 0;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Returns an idle buffer with room for this number of bytes, or null. */
  idle(bytes: number): GPUBuffer | null {
    const found = this.#idle.get(sizeOf(bytes))?.pop() ?? null;
    if (found !== null) this.#idleBytes -= found.size;
    return found;
  }

  make(bytes: number): GPUBuffer {
    return this.#device.createBuffer({ size: sizeOf(bytes), usage: USAGE.MAP_READ | USAGE.COPY_DST });
  }

  /** Takes back an unmapped buffer. */
  give(buffer: GPUBuffer): void {
    if (this.#idleBytes + buffer.size > own.IDLE_READBACK_BYTES) {
      buffer.destroy();
      return;
    }
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

function sizeOf(bytes: number): number {
  return Math.max(own.READBACK_BYTES, rounded(bytes));
}

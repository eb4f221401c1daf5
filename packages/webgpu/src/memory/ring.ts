import { limits } from "@polybin/core/backend";
import { own, USAGE } from "../platform/index.ts";
import { padded } from "./buffers.ts";

/** The place of a call's counts. It holds zeros once `clear` is done. */
export interface Place {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  /** Whether the same commands must clear the whole buffer first. */
  readonly clear: boolean;
}

/**
 * The counts of calls in flight, next to each other in one buffer. Each place is used once. When no place is left, the
 * commands of the next call clear the whole buffer. The queue runs commands in order, so no call waits for that, and
 * most calls clear nothing.
 *
 *   [ call 1 | call 2 | … | call n ]   then from the start
 */
export class Ring {
  readonly #device: GPUDevice;
  #buffer: GPUBuffer | null = null;
  #next = 0;
  #isClear = true;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Returns the buffer if it has room for a place of this number of bytes. */
  found(bytes: number): GPUBuffer | null {
    return this.#buffer !== null && this.#buffer.size >= bytes ? this.#buffer : null;
  }

  /** Returns the buffer, or a new one that has the room. */
  buffer(bytes: number): GPUBuffer {
    const found = this.found(bytes);
    if (found !== null) return found;
    // Submitted commands keep the buffers that they need.
    this.#buffer?.destroy();
    const { STORAGE, COPY_SRC, COPY_DST } = USAGE;
    const size = Math.max(own.RING_BYTES, padded(bytes));
    this.#buffer = this.#device.createBuffer({ size, usage: STORAGE | COPY_SRC | COPY_DST });
    this.#next = 0;
    this.#isClear = true;
    return this.#buffer;
  }

  /** Takes the next place, for commands that are submitted before the next `take`. */
  take(bytes: number): Place {
    const buffer = this.buffer(bytes);
    if (this.#next + bytes > buffer.size) this.spoil();
    const place = { buffer, offset: this.#next, clear: !this.#isClear };
    this.#next += placeBytes(bytes);
    this.#isClear = true;
    return place;
  }

  /** Has everything cleared next time, because a place that was taken may not have been cleared. */
  spoil(): void {
    this.#next = 0;
    this.#isClear = false;
  }

  free(): void {
    this.#buffer?.destroy();
    this.#buffer = null;
  }
}

/** Returns the bytes from one place to the next: a multiple of a dynamic offset's alignment. */
export function placeBytes(bytes: number): number {
  return limits.divideCeiling(bytes, own.PARAMS_BYTES) * own.PARAMS_BYTES;
}

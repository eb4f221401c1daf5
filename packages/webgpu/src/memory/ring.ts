import { limits } from "@polybin/core/backend";
import { own, USAGE } from "../platform/index.ts";
import { padded } from "./buffers.ts";

/** Where a call's counts are: zeros, once `clear` has been done. */
export interface Place {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  /** Must the whole buffer be cleared first, in the same commands? */
  readonly clear: boolean;
}

/**
 * Counts of calls in flight, side by side in one buffer. A place is used once; when there is none left, the commands of
 * the call that needs one clear them all. The queue runs commands in their order, so nobody waits for that, and most calls
 * clear nothing.
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

  /** The buffer, if it has room for a place of so many bytes. */
  found(bytes: number): GPUBuffer | null {
    return this.#buffer !== null && this.#buffer.size >= bytes ? this.#buffer : null;
  }

  /** The same, or another one that has. */
  buffer(bytes: number): GPUBuffer {
    const found = this.found(bytes);
    if (found !== null) return found;
    // What was submitted keeps what it needs.
    this.#buffer?.destroy();
    const { STORAGE, COPY_SRC, COPY_DST } = USAGE;
    const size = Math.max(own.RING_BYTES, padded(bytes));
    this.#buffer = this.#device.createBuffer({ size, usage: STORAGE | COPY_SRC | COPY_DST });
    this.#next = 0;
    this.#isClear = true;
    return this.#buffer;
  }

  /** The next place, for commands that are submitted before anybody asks again. */
  take(bytes: number): Place {
    const buffer = this.buffer(bytes);
    if (this.#next + bytes > buffer.size) this.spoil();
    const place = { buffer, offset: this.#next, clear: !this.#isClear };
    this.#next += placeBytes(bytes);
    this.#isClear = true;
    return place;
  }

  /** What was taken may not have been cleared: everything is, next time. */
  spoil(): void {
    this.#next = 0;
    this.#isClear = false;
  }

  free(): void {
    this.#buffer?.destroy();
    this.#buffer = null;
  }
}

/** Bytes from one place to the next: a dynamic offset is a multiple of them. */
export function placeBytes(bytes: number): number {
  return limits.divideCeiling(bytes, own.PARAMS_BYTES) * own.PARAMS_BYTES;
}

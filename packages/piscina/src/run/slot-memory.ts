import { limits } from "@polybin/core/backend";
import { allocateVisible, poolLimits } from "../platform/index.ts";

/** Keeps the memory of slots for later calls. Allocating new memory costs more than counting the samples in it. */
export class SlotMemory {
  readonly #free: Uint8Array[] = [];
  readonly #most: number;

  constructor(threads: number) {
    this.#most = threads * poolLimits.piecesPerThread;
  }

  take(bytes: number): Uint8Array {
    if (bytes > poolLimits.pieceBytes) return new Uint8Array(new SharedArrayBuffer(bytes));
    // One worker at a time counts in a slot, with separate tables for each channel.
    return (
      this.#free.pop() ??
      new Uint8Array(allocateVisible(poolLimits.pieceBytes, limits.MAX_CHANNELS), 0, poolLimits.pieceBytes)
    );
  }

  /** Forgets the free slots of a closed pool. */
  clear(): void {
    this.#free.length = 0;
  }

  /** Returns a slot that nothing reads or writes any more. */
  give(slot: Uint8Array): void {
    if (slot.length === poolLimits.pieceBytes && this.#free.length < this.#most) this.#free.push(slot);
  }
}

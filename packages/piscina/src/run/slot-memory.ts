import { limits } from "@polybin/core/backend";
import { allocateVisible, poolLimits } from "../platform/index.ts";

/** Memory of slots that calls leave for the next one: fresh memory costs more than the counting of what comes there. */
export class SlotMemory {
  readonly #free: Uint8Array[] = [];
  readonly #most: number;

  constructor(threads: number) {
    this.#most = threads * poolLimits.piecesPerThread;
  }

  take(bytes: number): Uint8Array {
    if (bytes > poolLimits.pieceBytes) return new Uint8Array(new SharedArrayBuffer(bytes));
    // One worker at a time counts in a slot, each channel with tables of its own.
    return (
      this.#free.pop() ??
      new Uint8Array(allocateVisible(poolLimits.pieceBytes, limits.MAX_CHANNELS), 0, poolLimits.pieceBytes)
    );
  }

  /** When nothing reads or writes it any more. */
  give(slot: Uint8Array): void {
    if (slot.length === poolLimits.pieceBytes && this.#free.length < this.#most) this.#free.push(slot);
  }
}

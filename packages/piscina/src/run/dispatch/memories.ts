import { PolybinError } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { allocateVisible, poolLimits, type Visible, visibleOf } from "../../platform/index.ts";

/** Keeps the memory of slots for later calls. Allocating new memory costs more than counting the samples in it. */
export class SlotMemory {
  readonly #free: Uint8Array[] = [];
  readonly #most: number;

  constructor(threads: number) {
    this.#most = threads * poolLimits.piecesPerThread;
  }

  /** Returns memory for a piece. */
  take(): Uint8Array {
    const bytes = poolLimits.pieceBytes;
    // One worker at a time counts in a slot, with separate tables for each channel.
    return this.#free.pop() ?? new Uint8Array(allocateVisible(bytes, limits.MAX_CHANNELS), 0, bytes);
  }

  /** Returns a slot that nothing reads or writes any more. */
  give(slot: Uint8Array): void {
    if (this.#free.length < this.#most) this.#free.push(slot);
  }

  /** Forgets the free slots of a closed pool. */
  clear(): void {
    this.#free.length = 0;
  }
}

/** Keeps the memory of counts of cells for later calls, because the first write to each page of new memory is slow. */
export class CellMemories {
  readonly #free: Visible[] = [];

  /** Returns memory of at least this size, of any content. @throws ERR_OUT_OF_MEMORY */
  take(bytes: number): Visible {
    const fits = this.#free.findIndex(({ memory }) => memory.buffer.byteLength >= bytes);
    if (fits >= 0) return this.#free.splice(fits, 1)[0]!;
    const visible = visibleOf(allocateVisible(bytes, 0));
    if (visible !== null) return visible;
    const what = `expected ${bytes} bytes of shared memory for tables and samples but the process has none`;
    throw new PolybinError("ERR_OUT_OF_MEMORY", what, { backend: "piscina" });
  }

  /** Returns memory that nothing reads or writes any more. */
  give(visible: Visible): void {
    if (visible.memory.buffer.byteLength > poolLimits.cellMemoryBytes) return;
    this.#free.push(visible);
    this.#free.sort((a, b) => a.memory.buffer.byteLength - b.memory.buffer.byteLength);
    if (this.#free.length > poolLimits.jobsAtOnce) this.#free.shift();
  }

  /** Forgets the free memory of a closed pool. */
  clear(): void {
    this.#free.length = 0;
  }
}

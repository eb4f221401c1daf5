import { PolybinError } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { allocateVisible, poolLimits, type Visible, visibleOf } from "../../platform/index.ts";

/** Keeps the memory of belts for later calls. Allocating new memory costs more than counting the samples in it. */
export class BeltMemories {
  readonly #free: Uint8Array[] = [];
  readonly #threads: number;

  constructor(threads: number) {
    this.#threads = threads;
  }

  /** Returns memory for the pieces of all workers. */
  take(): Uint8Array {
    const bytes = this.#threads * poolLimits.piecesPerThread * poolLimits.pieceBytes;
    // Each worker has separate tables for each channel.
    const regions = this.#threads * limits.MAX_CHANNELS;
    return this.#free.pop() ?? new Uint8Array(allocateVisible(bytes, regions), 0, bytes);
  }

  /** Returns memory that nothing reads or writes any more. */
  give(memory: Uint8Array): void {
    if (this.#free.length < poolLimits.jobsAtOnce) this.#free.push(memory);
  }

  /** Forgets the free memory of a closed pool. */
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

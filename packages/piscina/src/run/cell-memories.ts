import { PolybinError } from "@polybin/core";
import { allocateVisible, poolLimits, type Visible, visibleOf } from "../platform/index.ts";

/** Keeps the memory of joint counts for later calls, because the first write to each page of new memory is slow. */
export class CellMemories {
  readonly #free: Visible[] = [];

  /** Returns memory of at least this size, of any content. @throws ERR_OUT_OF_MEMORY */
  take(bytes: number): Visible {
    const fits = this.#free.findIndex(({ memory }) => memory.buffer.byteLength >= bytes);
    if (fits >= 0) return this.#free.splice(fits, 1)[0]!;
    const visible = visibleOf(allocateVisible(bytes, 0));
    if (visible === null) {
      throw new PolybinError(
        "ERR_OUT_OF_MEMORY",
        `expected ${bytes} bytes of shared memory for tables and samples but the process has none`,
        { backend: "piscina" },
      );
    }
    return visible;
  }

  /** Forgets the free memory of a closed pool. */
  clear(): void {
    this.#free.length = 0;
  }

  /** Returns memory that nothing reads or writes any more. */
  give(visible: Visible): void {
    if (visible.memory.buffer.byteLength > poolLimits.cellMemoryBytes) return;
    this.#free.push(visible);
    this.#free.sort((a, b) => a.memory.buffer.byteLength - b.memory.buffer.byteLength);
    if (this.#free.length > poolLimits.jobsAtOnce) this.#free.shift();
  }
}

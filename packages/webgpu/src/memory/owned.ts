import { wrong } from "../base/index.ts";
import type { DeviceMemory } from "./memory.ts";

/** A part of what a user holds, in a buffer of its own. */
interface Part {
  readonly buffer: GPUBuffer;
}

/** Buffers of a device that a user holds until it frees them, or until what holds them is collected. */
export abstract class Owned<P extends Part> {
  readonly #memory: DeviceMemory;
  readonly #gone: string;
  readonly #release: (buffer: GPUBuffer) => void;
  #parts: readonly P[] | null;

  /**
   * @param gone the error's sentence once they were freed
   * @param release lets a buffer go that nobody uses. Default: it is destroyed.
   */
  constructor(
    memory: DeviceMemory,
    gone: string,
    parts: readonly P[],
    release: (buffer: GPUBuffer) => void = (buffer) => buffer.destroy(),
  ) {
    this.#memory = memory;
    this.#gone = gone;
    this.#parts = parts;
    this.#release = release;
    const buffers = parts.map(({ buffer }) => buffer);
    memory.forgotten.register(this, buffers, this);
  }

  /** @throws ERR_INPUT after `free`. */
  get parts(): readonly P[] {
    if (this.#parts !== null) return this.#parts;
    throw wrong(this.#gone);
  }

  get freed(): boolean {
    return this.#parts === null;
  }

  async free(): Promise<void> {
    const parts = this.#parts;
    this.#parts = null;
    if (parts === null) return;
    this.#memory.forgotten.unregister(this);
    await this.#memory.turn(async () => {
      for (const { buffer } of parts) this.#release(buffer);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.free();
  }
}

/** Runs work that creates buffers. It adds each to `made` at once, and if the work fails, they are destroyed. */
export async function allOrNone<T>(work: (made: GPUBuffer[]) => Promise<T>): Promise<T> {
  const made: GPUBuffer[] = [];
  try {
    return await work(made);
  } catch (error) {
    for (const buffer of made) buffer.destroy();
    throw error;
  }
}

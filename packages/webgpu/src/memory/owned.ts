import { wrong } from "../base/index.ts";

/** Runs work when no call uses the device's buffers. */
export type InTurn = (work: () => Promise<void>) => Promise<void>;

/** Lets buffers go: destroys them or keeps them for another use. */
export type Release = (buffers: readonly GPUBuffer[]) => void;

/** Lets go of the buffers that users hold: when they say so, or when what they hold was collected without `free`. */
export class Owners {
  readonly #inTurn: InTurn;
  readonly #forgotten = new FinalizationRegistry<readonly GPUBuffer[]>(destroyAll);

  constructor(inTurn: InTurn) {
    this.#inTurn = inTurn;
  }

  /** Returns the function that lets the buffers of an object go, in their turn. */
  register(of: object, buffers: readonly GPUBuffer[], release: Release): () => Promise<void> {
    this.#forgotten.register(of, buffers, of);
    return async () => {
      this.#forgotten.unregister(of);
      await this.#inTurn(async () => release(buffers));
    };
  }
}

/** Buffers of a device that a user holds until it frees them. */
export abstract class Owned<Part> {
  readonly #what: string;
  #parts: readonly Part[] | null;
  readonly #release: () => Promise<void>;

  /** `what` is the error's sentence once they were freed. */
  constructor(
    owners: Owners,
    what: string,
    parts: readonly Part[],
    buffers: readonly GPUBuffer[],
    release: Release = destroyAll,
  ) {
    this.#what = what;
    this.#parts = parts;
    this.#release = owners.register(this, buffers, release);
  }

  /** @throws ERR_INPUT after `free`. */
  get parts(): readonly Part[] {
    if (this.#parts !== null) return this.#parts;
    throw wrong(this.#what);
  }

  get freed(): boolean {
    return this.#parts === null;
  }

  async free(): Promise<void> {
    const wasFreed = this.freed;
    this.#parts = null;
    if (!wasFreed) await this.#release();
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
    destroyAll(made);
    throw error;
  }
}

export function destroyAll(buffers: readonly GPUBuffer[]): void {
  for (const buffer of buffers) buffer.destroy();
}

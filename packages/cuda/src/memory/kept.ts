import { failure } from "../platform/index.ts";

/** Memory of one device. */
export interface Held {
  /** Index of the device, from 0 on. */
  readonly device: number;
  /** The memory's number in the device's context. */
  readonly id: number;
}

/** Frees memory of the devices: at once, or when `of` is collected without `free`. */
export interface Keeper {
  keep(of: object, parts: readonly Held[]): void;
  free(of: object, parts: readonly Held[]): Promise<void>;
}

/** Data in the memory of one or several devices. */
export class Kept<P extends Held> {
  readonly #keeper: Keeper;
  readonly #what: string;
  #parts: readonly P[] | null;

  /** `what` says what is missing after `free`. */
  constructor(keeper: Keeper, parts: readonly P[], what: string) {
    this.#keeper = keeper;
    this.#what = what;
    // They arrive in any order.
    this.#parts = parts.toSorted((a, b) => a.device - b.device);
    keeper.keep(this, parts);
  }

  /** In the order of the devices, which is that of the data. @throws ERR_INPUT after `free`. */
  get parts(): readonly P[] {
    if (this.#parts !== null) return this.#parts;
    throw failure("ERR_INPUT", `expected ${this.#what} freed`);
  }

  get freed(): boolean {
    return this.#parts === null;
  }

  async free(): Promise<void> {
    const parts = this.#parts;
    this.#parts = null;
    if (parts !== null) await this.#keeper.free(this, parts);
  }
}

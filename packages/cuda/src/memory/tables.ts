import { PolybinError } from "@polybin/core";
import type { ResidentTable } from "@polybin/core/backend";
import type { TablePart } from "./split.ts";

/** Rows of a table, with their memory's number in the device's context. */
export interface ResidentTablePart extends TablePart {
  readonly id: number;
}

/** A feature table in the memory of one or several devices. */
export class CudaTable implements ResidentTable {
  #parts: readonly ResidentTablePart[] | null;
  readonly #free: (of: CudaTable, parts: readonly ResidentTablePart[]) => Promise<void>;

  constructor(
    parts: readonly ResidentTablePart[],
    free: (of: CudaTable, parts: readonly ResidentTablePart[]) => Promise<void>,
  ) {
    this.#parts = parts;
    this.#free = free;
  }

  /** @throws ERR_INPUT after `free`. */
  get parts(): readonly ResidentTablePart[] {
    if (this.#parts !== null) return this.#parts;
    throw new PolybinError("ERR_INPUT", "expected a feature table but it was freed", { backend: "cuda" });
  }

  async free(): Promise<void> {
    const parts = this.#parts;
    this.#parts = null;
    if (parts !== null) await this.#free(this, parts);
  }
}

import { PolybinError, type Resident, type SampleType } from "@polybin/core";
import type { Samples } from "@polybin/core/backend";

/** Memory of one device that holds a part of the samples. */
export interface ResidentPart {
  /** Index of the device, from 0 on. */
  readonly device: number;
  readonly pixels: number;
  /** The memory's number in the device's context. */
  readonly id: number;
}

/** Samples in the memory of one or several devices. */
export class CudaResident implements Resident {
  readonly type: SampleType;
  readonly channels: number;
  readonly pixels: number;
  #parts: readonly ResidentPart[] | null;
  readonly #free: (of: CudaResident, parts: readonly ResidentPart[]) => Promise<void>;

  constructor(
    { type, channels, pixels }: Pick<Samples, "type" | "channels" | "pixels">,
    parts: readonly ResidentPart[],
    free: (of: CudaResident, parts: readonly ResidentPart[]) => Promise<void>,
  ) {
    this.type = type;
    this.channels = channels;
    this.pixels = pixels;
    this.#parts = parts;
    this.#free = free;
  }

  /** @throws ERR_INPUT after `free`. */
  get parts(): readonly ResidentPart[] {
    if (this.#parts !== null) return this.#parts;
    throw new PolybinError("ERR_INPUT", "expected resident samples but they were freed", { backend: "cuda" });
  }

  get freed(): boolean {
    return this.#parts === null;
  }

  async free(): Promise<void> {
    const parts = this.#parts;
    this.#parts = null;
    if (parts !== null) await this.#free(this, parts);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.free();
  }
}

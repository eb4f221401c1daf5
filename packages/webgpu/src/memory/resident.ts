import { PolybinError, type Resident, type SampleType } from "@polybin/core";
import type { Chunk } from "../kernels/index.ts";

/** A part of a resident in a buffer of its own. */
export interface OwnChunk extends Chunk {
  readonly data: GPUBufferBinding;
}

/** Samples in a device's buffers. */
export class WebgpuResident implements Resident {
  readonly type: SampleType;
  readonly channels: number;
  readonly pixels: number;
  #chunks: readonly OwnChunk[] | null;
  readonly #free: (of: WebgpuResident, chunks: readonly OwnChunk[]) => Promise<void>;

  constructor(
    { type, channels, pixels }: Pick<Resident, "type" | "channels" | "pixels">,
    chunks: readonly OwnChunk[],
    free: (of: WebgpuResident, chunks: readonly OwnChunk[]) => Promise<void>,
  ) {
    this.type = type;
    this.channels = channels;
    this.pixels = pixels;
    this.#chunks = chunks;
    this.#free = free;
  }

  /** @throws ERR_INPUT after `free`. */
  get chunks(): readonly OwnChunk[] {
    if (this.#chunks !== null) return this.#chunks;
    throw new PolybinError("ERR_INPUT", "expected resident samples but they were freed", {
      backend: "webgpu",
    });
  }

  get freed(): boolean {
    return this.#chunks === null;
  }

  async free(): Promise<void> {
    const chunks = this.#chunks;
    this.#chunks = null;
    if (chunks !== null) await this.#free(this, chunks);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.free();
  }
}

import { PolybinError, type Resident, type SampleType } from "@polybin/core";
import type { Chunk } from "./program.ts";

/** Samples in a device's buffers. */
export class WebgpuResident implements Resident {
  readonly type: SampleType;
  readonly channels: number;
  readonly pixels: number;
  #chunks: readonly Chunk[] | null;
  readonly #free: (of: WebgpuResident, chunks: readonly Chunk[]) => Promise<void>;

  constructor(
    { type, channels, pixels }: Pick<Resident, "type" | "channels" | "pixels">,
    chunks: readonly Chunk[],
    free: (of: WebgpuResident, chunks: readonly Chunk[]) => Promise<void>,
  ) {
    this.type = type;
    this.channels = channels;
    this.pixels = pixels;
    this.#chunks = chunks;
    this.#free = free;
  }

  /** @throws ERR_INPUT after `free`. */
  get chunks(): readonly Chunk[] {
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

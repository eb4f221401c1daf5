import { PolybinError } from "../base/index.ts";
import type { Input, Resident } from "./handed.ts";
import type { Samples } from "./samples.ts";

/** Samples in this process's memory, as a resident handle. */
export class HostResident implements Resident {
  #samples: Samples | null;
  readonly type: Samples["type"];
  readonly channels: number;
  readonly pixels: number;

  constructor(samples: Samples) {
    this.#samples = samples;
    this.type = samples.type;
    this.channels = samples.channels;
    this.pixels = samples.pixels;
  }

  /** @throws ERR_INPUT after `free`. */
  get samples(): Samples {
    if (this.#samples === null)
      throw new PolybinError("ERR_INPUT", "expected resident samples but they were freed");
    return this.#samples;
  }

  get freed(): boolean {
    return this.#samples === null;
  }

  async free(): Promise<void> {
    this.#samples = null;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.free();
  }
}

/** Returns the samples behind an input of a device that keeps its residents in host memory. */
export function samplesOf(input: Input): Samples {
  if (input.kind === "samples") return input.samples;
  if (input.kind === "resident" && input.resident instanceof HostResident) return input.resident.samples;
  if (input.kind === "file") {
    const { path } = input.file;
    throw new PolybinError("ERR_UNSUPPORTED", `${path} cannot be read synchronously: await count instead`);
  }
  throw new PolybinError(
    "ERR_INPUT",
    "expected samples or a resident of this engine but received something else",
  );
}

import type { Resident, SampleType } from "@polybin/core";
import type { Chunk } from "../kernels/index.ts";
import type { DeviceMemory } from "./memory.ts";
import { Owned } from "./owned.ts";

/** A part of a resident in a buffer of its own. */
export interface OwnChunk extends Chunk {
  readonly buffer: GPUBuffer;
  /** The whole buffer. */
  readonly data: GPUBufferBinding;
}

/** Samples in a device's buffers. */
export class WebgpuResident extends Owned<OwnChunk> implements Resident {
  readonly type: SampleType;
  readonly channels: number;
  readonly pixels: number;

  constructor(
    { type, channels, pixels }: Pick<Resident, "type" | "channels" | "pixels">,
    chunks: readonly OwnChunk[],
    memory: DeviceMemory,
  ) {
    super(memory, "expected resident samples but they were freed", chunks);
    this.type = type;
    this.channels = channels;
    this.pixels = pixels;
  }
}

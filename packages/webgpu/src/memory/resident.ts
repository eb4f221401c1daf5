import type { Resident, SampleType } from "@polybin/core";
import type { Chunk } from "../kernels/index.ts";
import { Owned, type Owners } from "./owned.ts";

/** A part of a resident in a buffer of its own. */
export interface OwnChunk extends Chunk {
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
    owners: Owners,
  ) {
    const buffers = chunks.map(({ data }) => data.buffer);
    super(owners, "expected resident samples but they were freed", chunks, buffers);
    this.type = type;
    this.channels = channels;
    this.pixels = pixels;
  }
}

import type { External, SampleType } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { type WebgpuLimits, wrong } from "../base/index.ts";
import type { Chunk, Dispatch } from "../kernels/index.ts";
import { COMPUTE, type Hardware, type Pipelines } from "../platform/index.ts";

/** A part of a user's samples: where they lie, or how they become dense. */
export interface Piece extends Chunk {
  /** Dispatches that write the samples to the buffer `dense`. There are none for samples that are counted in place. */
  readonly before: readonly Dispatch[];
  /** Bytes of `dense` that this part needs. */
  readonly denseBytes: number;
}

/** One binding that shows whether the device accepts the user's object. */
export interface Trial {
  readonly layout: Pick<GPUBindGroupLayoutEntry, "buffer" | "texture">;
  readonly resource: GPUBindingResource;
}

/** Samples in a user's own buffer or texture. */
export abstract class DeviceSamples implements External {
  readonly kind = "external";
  readonly backend = "webgpu";
  readonly type: SampleType;
  readonly channels: number;
  readonly pixels: number;

  constructor({ type, channels, pixels }: Pick<External, "type" | "channels" | "pixels">) {
    this.type = type;
    this.channels = channels;
    this.pixels = pixels;
  }

  /** Checks what can be known at once about whether the samples may be read now. @throws ERR_INPUT */
  abstract check(): void;

  /** Returns the smallest part that can be bound. */
  abstract trial(): Trial;

  /**
   * Returns all samples in parts that one dispatch may read. Compiles the kernels that make them dense.
   * @param copied whether every part is written to the buffer `dense`, even if kernels could read it in place
   */
  abstract pieces(pipelines: Pipelines, of: WebgpuLimits, copied?: boolean): Promise<readonly Piece[]>;
}

/** @throws ERR_INPUT unless bufferSamples or textureSamples made the samples. */
export function deviceSamples(external: External): DeviceSamples {
  if (external instanceof DeviceSamples) {
    external.check();
    return external;
  }
  throw wrong("expected samples that bufferSamples or textureSamples of this package made");
}

/**
 * Finds out whether the device can read the samples. It submits commands that name them and do nothing.
 * @throws ERR_INPUT if they belong to another device or were destroyed.
 */
export async function verify(hardware: Hardware, samples: DeviceSamples): Promise<void> {
  const { device } = hardware;
  await hardware.accepted(ANOTHERS, () => {
    const { layout, resource } = samples.trial();
    const group = device.createBindGroup({
      layout: device.createBindGroupLayout({ entries: [{ binding: 0, visibility: COMPUTE, ...layout }] }),
      entries: [{ binding: 0, resource }],
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setBindGroup(0, group);
    pass.end();
    device.queue.submit([encoder.finish()]);
  });
}

/** The most likely cause if a device refuses a user's buffer or texture. */
export const ANOTHERS =
  "expected a buffer or texture of the engine's own device that was not destroyed (open the engine with webgpu({ device }))";

/** Returns the bytes that are made dense at a time. Their buffer and its source are each bound as a whole. */
export function pieceBytes({ chunkBytes, alignment }: WebgpuLimits): number {
  return Math.min(limits.GPU_PIECE_BYTES, chunkBytes - 2 * alignment);
}

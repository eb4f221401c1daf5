import { type External, PolybinError, type SampleType } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import type { WebgpuLimits } from "../base/index.ts";
import type { Chunk, Dispatch } from "../kernels/index.ts";
import { COMPUTE, type Hardware, type Pipelines } from "../platform/index.ts";

/** A part of a user's samples: where they lie, or how they come to lie densely. */
export interface Piece extends Chunk {
  /** Dispatches that write them to the buffer `dense`; none where they are counted in place. */
  readonly before: readonly Dispatch[];
  /** Bytes that they need of it. */
  readonly denseBytes: number;
}

/** One binding, to try whether the device takes it. */
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

  /** What can be told at once of whether it may be read now. @throws ERR_INPUT */
  abstract check(): void;

  /** The least part of it that can be bound. */
  abstract trial(): Trial;

  /** All of it, in parts that one dispatch may read. Compiles what brings them together. */
  abstract pieces(pipelines: Pipelines, of: WebgpuLimits): Promise<readonly Piece[]>;
}

/** @throws ERR_INPUT unless it was made by bufferSamples or textureSamples. */
export function deviceSamples(external: External): DeviceSamples {
  if (external instanceof DeviceSamples) {
    external.check();
    return external;
  }
  throw wrong("expected samples that bufferSamples or textureSamples of this package made");
}

/**
 * Finds out whether the device can read the samples, by commands that name them and do nothing.
 * @throws ERR_INPUT where they are another device's, or were destroyed.
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

/** What is most likely wrong where a device refuses a user's buffer or texture. */
export const ANOTHERS =
  "expected a buffer or texture of the engine's own device that was not destroyed (open the engine with webgpu({ device }))";

/** Bytes that are brought together at a time: their buffer is bound whole, and what they lie in, too. */
export function pieceBytes({ chunkBytes, alignment }: WebgpuLimits): number {
  return Math.min(limits.GPU_PIECE_BYTES, chunkBytes - 2 * alignment);
}

export function wrong(message: string, cause?: unknown): PolybinError {
  return new PolybinError("ERR_INPUT", message, { backend: "webgpu", cause });
}

import type { External, SampleType } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { type WebgpuLimits, wrong } from "../base/index.ts";
import type { Chunk, Dispatch } from "../kernels/index.ts";
import type { Pipelines } from "../platform/index.ts";

/** A part of a user's samples: where they lie, or how they become dense. */
export interface Piece extends Chunk {
  /** Dispatches that write the samples to the buffer `dense`. There are none for samples that are counted in place. */
  readonly before: readonly Dispatch[];
  /** Bytes of `dense` that this part needs. */
  readonly denseBytes: number;
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

/** The most likely cause if a device refuses a user's buffer or texture. */
export const ANOTHERS =
  "expected a buffer or texture of the engine's own device that was not destroyed (open the engine with webgpu({ device }))";

/** Returns the bytes that are made dense at a time. Their buffer and its source are each bound as a whole. */
export function pieceBytes({ chunkBytes, alignment }: WebgpuLimits): number {
  return Math.min(limits.GPU_PIECE_BYTES, chunkBytes - 2 * alignment);
}

/** Consecutive pixels of a picture: whole rows, or a part of one row. */
export interface Run {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Cuts `width` by `height` pixels into runs, in order. A run has at most `mostPixels` pixels and `mostRows` rows. */
export function* runsOf(
  { width, height }: Pick<Run, "width" | "height">,
  mostPixels: number,
  mostRows: number = height,
): Generator<Run> {
  if (width === 0) return;
  const rows = Math.max(1, Math.min(mostRows, Math.floor(mostPixels / width)));
  for (let y = 0; y < height; y += rows) {
    for (let x = 0; x < width; x += mostPixels) {
      yield { x, y, width: Math.min(mostPixels, width - x), height: Math.min(rows, height - y) };
    }
  }
}

import {
  bytesFrom,
  type External,
  type Input,
  limits,
  PolybinError,
  type Resident,
  SAMPLE_TRAITS,
  type Samples,
} from "@polybin/core";
import type { Growing } from "./buffers.ts";
import type { WebgpuLimits } from "./capabilities.ts";
import { deviceSamples, verify } from "./external.ts";
import type { Hardware } from "./hardware.ts";
import type { Chunk, Launch } from "./program.ts";
import { WebgpuResident } from "./resident.ts";
import { Staging } from "./staging.ts";

/** A chunk, and what has to be encoded before it can be read. */
export interface StagedChunk extends Chunk {
  /** Is it the last one? */
  readonly last: boolean;
  /** Dispatches that write its samples to `dense`, of a user's own memory that is not read in place. */
  readonly before: readonly Launch[];
  readonly dense: GPUBuffer | null;
  encode(encoder: GPUCommandEncoder): void;
  /** The commands were submitted. */
  sent(): void;
}

/** Samples of one channel that an input has. */
export function shapeOf(input: Input): {
  readonly pixels: number;
  readonly interleaved: number;
  readonly type: Samples["type"];
} {
  if (input.kind === "file") {
    throw new PolybinError("ERR_UNSUPPORTED", "webgpu reads no files itself", { backend: "webgpu" });
  }
  const { pixels, channels, type } =
    input.kind === "samples" ? input.samples : input.kind === "resident" ? input.resident : input.external;
  return { pixels, interleaved: channels, type };
}

/** Where samples come from: residents and a user's own are there already, others in pieces through mapped memory. */
export class Source {
  readonly #hardware: Hardware;
  readonly #staging: Staging;
  /** What pieces of host memory are copied into, and a user's own where they are not dense. */
  readonly #input: Growing;
  readonly #limits: WebgpuLimits;
  readonly #pieceBytes: number;

  constructor(hardware: Hardware, input: Growing, of: WebgpuLimits) {
    this.#hardware = hardware;
    this.#input = input;
    this.#staging = new Staging(hardware);
    this.#limits = of;
    this.#pieceBytes = Math.min(limits.GPU_PIECE_BYTES, of.chunkBytes - limits.GPU_PADDING_BYTES);
  }

  async *chunks(input: Input): AsyncGenerator<StagedChunk> {
    if (input.kind === "samples") yield* this.#pieces(input.samples);
    else if (input.kind === "resident") yield* residentChunks(input.resident);
    else if (input.kind === "external") yield* this.#external(input.external);
  }

  async *#pieces(samples: Samples): AsyncGenerator<StagedChunk> {
    const most = this.#piecePixels(samples);
    for (let first = 0; first < samples.pixels; first += most) {
      const pixels = Math.min(most, samples.pixels - first);
      const size = padded4(pixels * pixelBytesOf(samples));
      const { value: buffer, errors } = this.#hardware.scoped(() => this.#input.of(size));
      await errors;
      const last = first + pixels === samples.pixels;
      const copy = await this.#copy(samples, first, pixels, buffer, 0);
      yield { data: { buffer }, pixels, last, before: [], dense: null, ...copy };
    }
  }

  async *#external(external: External): AsyncGenerator<StagedChunk> {
    const samples = deviceSamples(external);
    await verify(this.#hardware, samples);
    const pieces = await this.#hardware.watched(samples.pieces(this.#hardware.pipelines, this.#limits));
    const bytes = Math.max(0, ...pieces.map(({ denseBytes }) => denseBytes));
    const dense = bytes === 0 ? null : await this.#hardware.checked(() => this.#input.of(bytes));
    for (const [i, piece] of pieces.entries()) {
      yield { ...piece, dense, last: i === pieces.length - 1, encode: () => {}, sent: () => {} };
    }
  }

  /** Copies all samples to a buffer, `first` on. */
  async fill(
    samples: Samples,
    first: number,
    pixels: number,
    to: GPUBuffer,
    options: { signal?: AbortSignal | undefined },
  ): Promise<void> {
    const most = this.#piecePixels(samples);
    const { device } = this.#hardware;
    for (let done = 0; done < pixels; done += most) {
      options.signal?.throwIfAborted();
      const size = Math.min(most, pixels - done);
      const piece = await this.#copy(samples, first + done, size, to, done * pixelBytesOf(samples));
      await this.#hardware.checked(() => {
        const encoder = device.createCommandEncoder();
        piece.encode(encoder);
        device.queue.submit([encoder.finish()]);
      });
      piece.sent();
    }
  }

  /** Reads pixels from host memory, and says how they come to the device. */
  async #copy(
    samples: Samples,
    first: number,
    pixels: number,
    to: GPUBuffer,
    offset: number,
  ): Promise<Pick<StagedChunk, "encode" | "sent">> {
    const bytes = pixels * pixelBytesOf(samples);
    const size = padded4(bytes);
    if (size <= limits.WEBGPU_WRITE_BYTES) {
      const copy = new Uint8Array(size);
      writePixels(samples, first, pixels, copy);
      return { encode: () => this.#hardware.device.queue.writeBuffer(to, offset, copy), sent: () => {} };
    }
    const slot = await this.#staging.take(size);
    writePixels(samples, first, pixels, slot.bytes);
    return {
      encode: (encoder) => {
        Staging.unmap(slot);
        encoder.copyBufferToBuffer(slot.buffer, 0, to, offset, size);
      },
      sent: () => Staging.sent(slot),
    };
  }

  /** Pixels of a piece: whole words, wherever it begins. */
  #piecePixels(samples: Samples): number {
    const pixels = Math.floor(this.#pieceBytes / pixelBytesOf(samples));
    return pixels - (pixels % limits.WEBGPU_ALIGN_PIXELS);
  }

  free(): void {
    this.#staging.free();
  }
}

/** The parts of a resident. @throws ERR_INPUT where it is another backend's */
export function chunksOf(resident: Resident): readonly Chunk[] {
  if (resident instanceof WebgpuResident) return resident.chunks;
  throw new PolybinError("ERR_INPUT", "expected a resident that this engine uploaded", { backend: "webgpu" });
}

function* residentChunks(resident: Resident): Generator<StagedChunk> {
  const chunks = chunksOf(resident);
  for (const [i, chunk] of chunks.entries()) {
    const last = i === chunks.length - 1;
    yield { ...chunk, last, before: [], dense: null, encode: () => {}, sent: () => {} };
  }
}

export function pixelBytesOf({ type, channels }: Pick<Samples, "type" | "channels">): number {
  return SAMPLE_TRAITS[type].bytes * channels;
}

/** Copies are whole words. */
function padded4(bytes: number): number {
  return limits.divideCeiling(bytes, limits.WORD_BYTES) * limits.WORD_BYTES;
}

/** Brings pixels `first` to `first + pixels` into one run. @throws ERR_INPUT where their memory is gone. */
function writePixels(samples: Samples, first: number, pixels: number, to: Uint8Array): void {
  const { bytes, dense, width, rowPitch } = samples;
  const pixelBytes = pixelBytesOf(samples);
  if (dense) {
    to.set(bytesFrom(bytes, first * pixelBytes, pixels * pixelBytes));
    return;
  }
  let done = 0;
  while (done < pixels) {
    const row = Math.floor((first + done) / width);
    const column = (first + done) % width;
    const count = Math.min(width - column, pixels - done);
    const from = row * rowPitch + column * pixelBytes;
    to.set(bytesFrom(bytes, from, count * pixelBytes), done * pixelBytes);
    done += count;
  }
}

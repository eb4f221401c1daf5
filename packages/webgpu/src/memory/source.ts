import type { External, Resident } from "@polybin/core";
import { bytesFrom, type Input, limits, SAMPLE_TRAITS, type Samples } from "@polybin/core/backend";
import { failure, type WebgpuLimits, wrong } from "../base/index.ts";
import type { Chunk, Dispatch } from "../kernels/index.ts";
import { type Hardware, own, USAGE } from "../platform/index.ts";
import { type Growing, padded } from "./buffers.ts";
import { deviceSamples, verify } from "./external.ts";
import { type Filler, padded4 } from "./filler.ts";
import { type OwnChunk, WebgpuResident } from "./resident.ts";

/** A chunk that kernels may read as soon as the dispatches before it are encoded. */
export interface ReadyChunk extends Chunk {
  /** Whether this is the last chunk. */
  readonly last: boolean;
  /** Dispatches that write the samples to `dense`, for a user's memory that is not read in place. */
  readonly before: readonly Dispatch[];
  readonly dense: GPUBuffer | null;
}

/** Returns the pixels, channels and type of an input. */
export function shapeOf(input: Input): {
  readonly pixels: number;
  readonly interleaved: number;
  readonly type: Samples["type"];
} {
  if (input.kind === "file") {
    const message = "expected samples but received a file, which webgpu does not read itself";
    throw failure("ERR_UNSUPPORTED", message);
  }
  const { pixels, channels, type } =
    input.kind === "samples" ? input.samples : input.kind === "resident" ? input.resident : input.external;
  return { pixels, interleaved: channels, type };
}

/**
 * Yields the chunks of an input. Residents and a user's own samples already lie on the device. Other samples arrive in
 * pieces through mapped memory.
 */
export class Source {
  readonly #hardware: Hardware;
  readonly #filler: Filler;
  /** The buffer for parts of host memory, and for a user's samples that are not dense. */
  readonly #input: Growing;
  readonly #limits: WebgpuLimits;

  constructor(hardware: Hardware, filler: Filler, input: Growing, of: WebgpuLimits) {
    this.#hardware = hardware;
    this.#filler = filler;
    this.#input = input;
    this.#limits = of;
  }

  /** @param copied whether the parts of a user's own samples are all written to `dense` first */
  async *chunks(input: Input, signal: AbortSignal | undefined, copied = false): AsyncGenerator<ReadyChunk> {
    if (input.kind === "samples") yield* this.#parts(input.samples, signal);
    else if (input.kind === "resident") yield* residentChunks(input.resident);
    else if (input.kind === "external") yield* this.#external(input.external, copied);
  }

  /**
   * Yields parts of host memory, which share one buffer: the queue copies the next part when the previous one is
   * counted.
   */
  async *#parts(samples: Samples, signal: AbortSignal | undefined): AsyncGenerator<ReadyChunk> {
    const pixelBytes = pixelBytesOf(samples);
    const most = alignedPixels(this.#limits.partBytes, pixelBytes);
    for (let first = 0; first < samples.pixels; first += most) {
      const pixels = Math.min(most, samples.pixels - first);
      const bytes = padded4(pixels * pixelBytes);
      const buffer = this.#input.found(bytes) ?? (await this.#hardware.checked(() => this.#input.of(bytes)));
      await this.fill(samples, first, pixels, buffer, signal);
      const last = first + pixels === samples.pixels;
      yield { data: { buffer }, pixels, last, before: [], dense: null };
    }
  }

  async *#external(external: External, copied: boolean): AsyncGenerator<ReadyChunk> {
    const samples = deviceSamples(external);
    await verify(this.#hardware, samples);
    const { pipelines } = this.#hardware;
    const pieces = await this.#hardware.watched(samples.pieces(pipelines, this.#limits, copied));
    const bytes = Math.max(0, ...pieces.map(({ denseBytes }) => denseBytes));
    const dense = bytes === 0 ? null : await this.#hardware.checked(() => this.#input.of(bytes));
    for (const [i, piece] of pieces.entries()) {
      yield { ...piece, dense, last: i === pieces.length - 1 };
    }
  }

  /** Copies samples to buffers of their own. One dispatch can read each. */
  async upload(
    samples: Samples,
    signal: AbortSignal | undefined,
    made: GPUBuffer[],
  ): Promise<readonly OwnChunk[]> {
    const { chunkBytes, chunkSamples } = this.#limits;
    const { device } = this.#hardware;
    const pixelBytes = pixelBytesOf(samples);
    const room = alignedPixels(chunkBytes - limits.GPU_PADDING_BYTES, pixelBytes);
    const most = Math.min(room, chunkSamples - (chunkSamples % own.ALIGN_PIXELS));
    const usage = USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST;
    const chunks: OwnChunk[] = [];
    for (let first = 0; first < samples.pixels; first += most) {
      const pixels = Math.min(most, samples.pixels - first);
      const size = padded(pixels * pixelBytes);
      const { value: buffer, errors } = this.#hardware.scoped(() => device.createBuffer({ size, usage }));
      made.push(buffer);
      chunks.push({ data: { buffer }, pixels });
      await errors;
      await this.fill(samples, first, pixels, buffer, signal);
    }
    await this.#hardware.watched(device.queue.onSubmittedWorkDone());
    return chunks;
  }

  /** Copies `pixels` pixels, from pixel `first` on, to a buffer's start. */
  fill(
    samples: Samples,
    first: number,
    pixels: number,
    to: GPUBuffer,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const pixelBytes = pixelBytesOf(samples);
    const most = alignedPixels(own.PIECE_BYTES, pixelBytes);
    return this.#filler.fill(to, pixels * pixelBytes, most * pixelBytes, signal, (from, size, into) => {
      writePixels(samples, first + from / pixelBytes, size / pixelBytes, into);
    });
  }
}

/** Returns the parts of a resident. @throws ERR_INPUT if another backend made it */
export function chunksOf(resident: Resident): readonly Chunk[] {
  if (resident instanceof WebgpuResident) return resident.parts;
  throw wrong("expected a resident that this engine uploaded");
}

function* residentChunks(resident: Resident): Generator<ReadyChunk> {
  const chunks = chunksOf(resident);
  for (const [i, chunk] of chunks.entries()) {
    const last = i === chunks.length - 1;
    yield { ...chunk, last, before: [], dense: null };
  }
}

export function pixelBytesOf({ type, channels }: Pick<Samples, "type" | "channels">): number {
  return SAMPLE_TRAITS[type].bytes * channels;
}

/** Returns the pixels that fit into this number of bytes and always are whole words. */
function alignedPixels(bytes: number, pixelBytes: number): number {
  const pixels = Math.floor(bytes / pixelBytes);
  return pixels - (pixels % own.ALIGN_PIXELS);
}

/**
 * Copies `pixels` pixels, from pixel `first` on, to consecutive memory. @throws ERR_INPUT if the samples' memory is
 * gone.
 */
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

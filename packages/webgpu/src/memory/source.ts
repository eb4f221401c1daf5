import {
  bytesFrom,
  type DeviceInput,
  type Input,
  limits,
  SAMPLE_TRAITS,
  type Samples,
} from "@polybin/core/backend";
import { failure, wrong } from "../base/index.ts";
import { own, USAGE } from "../platform/index.ts";
import { type Growing, padded } from "./buffers.ts";
import { deviceSamples, type Piece } from "./external.ts";
import { type Filler, padded4 } from "./filler.ts";
import type { DeviceMemory } from "./memory.ts";
import { allOrNone } from "./owned.ts";
import { type OwnChunk, WebgpuResident } from "./resident.ts";

/** A chunk that kernels may read as soon as the dispatches before it are encoded. */
export interface ReadyChunk extends Omit<Piece, "denseBytes"> {
  /** Whether this is the last chunk. */
  readonly last: boolean;
  /** The buffer `dense`, for a user's memory that is not read in place. */
  readonly dense: GPUBuffer | null;
}

export function shapeOf(input: Input): Pick<Samples, "pixels" | "channels" | "type"> {
  if (input.kind === "samples") return input.samples;
  if (input.kind === "resident") return input.resident;
  if (input.kind === "external") return input.external;
  throw failure("ERR_UNSUPPORTED", "expected samples but received a file, which webgpu does not read itself");
}

/** How the chunks of an input are read. */
export interface Reading {
  readonly signal?: AbortSignal | undefined;
  /** The buffer for host memory, and for a user's samples that are not dense. Default: the one for samples. */
  readonly to?: Growing | undefined;
  /** Whether a user's own samples are all written to `dense` first. Default: false. */
  readonly copied?: boolean;
}

/**
 * Yields the chunks of an input. Residents and a user's own samples already lie on the device. Other samples arrive in
 * pieces through mapped memory.
 */
export async function* chunksOf(
  memory: DeviceMemory,
  input: Input,
  { signal, to = memory.buffers.input, copied = false }: Reading,
): AsyncGenerator<ReadyChunk> {
  const { hardware } = memory;
  if (input.kind === "samples") yield* hostChunks(memory, input.samples, to, signal);
  if (input.kind === "samples" || input.kind === "file") return;
  const pieces = await piecesOf(memory, input, copied);
  const bytes = Math.max(0, ...pieces.map(({ denseBytes }) => denseBytes));
  const dense = bytes === 0 ? null : await hardware.checked(() => to.of(bytes));
  for (const [i, piece] of pieces.entries()) yield { ...piece, dense, last: i === pieces.length - 1 };
}

/**
 * Returns the parts of samples on the device.
 * @throws ERR_INPUT for a resident of another backend, or a user's samples that the device cannot read
 */
export async function piecesOf(
  { hardware, of }: DeviceMemory,
  input: DeviceInput,
  copied = false,
): Promise<readonly Piece[]> {
  if (input.kind === "external") {
    return hardware.watched(deviceSamples(input.external).pieces(hardware.pipelines, of, copied));
  }
  if (!(input.resident instanceof WebgpuResident))
    throw wrong("expected a resident that this engine uploaded");
  return input.resident.parts.map((chunk) => ({ ...chunk, before: [], denseBytes: 0 }));
}

/**
 * Yields parts of host memory, which share one buffer: the queue copies the next part when the previous one is
 * counted.
 */
async function* hostChunks(
  { hardware, filler, of }: DeviceMemory,
  samples: Samples,
  to: Growing,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReadyChunk> {
  const pixelBytes = pixelBytesOf(samples);
  const most = alignedPixels(of.partBytes, pixelBytes);
  for (let first = 0; first < samples.pixels; first += most) {
    const pixels = Math.min(most, samples.pixels - first);
    const bytes = padded4(pixels * pixelBytes);
    const buffer = to.found(bytes) ?? (await hardware.checked(() => to.of(bytes)));
    await fillPixels(filler, { samples, first, pixels }, buffer, signal);
    const last = first + pixels === samples.pixels;
    yield { data: { buffer }, pixels, last, before: [], dense: null };
  }
}

/** Copies samples to buffers of their own. One dispatch can read each. */
export function uploadSamples(
  memory: DeviceMemory,
  samples: Samples,
  signal: AbortSignal | undefined,
): Promise<WebgpuResident> {
  const { hardware, filler, of } = memory;
  const { device } = hardware;
  const pixelBytes = pixelBytesOf(samples);
  const room = alignedPixels(of.chunkBytes - limits.GPU_PADDING_BYTES, pixelBytes);
  const most = Math.min(room, of.chunkSamples - (of.chunkSamples % own.ALIGN_PIXELS));
  const usage = USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST;
  return allOrNone(async (made) => {
    const chunks: OwnChunk[] = [];
    for (let first = 0; first < samples.pixels; first += most) {
      const pixels = Math.min(most, samples.pixels - first);
      const size = padded(pixels * pixelBytes);
      const { value: buffer, errors } = hardware.scoped(() => device.createBuffer({ size, usage }));
      made.push(buffer);
      chunks.push({ buffer, data: { buffer }, pixels });
      await errors;
      await fillPixels(filler, { samples, first, pixels }, buffer, signal);
    }
    await hardware.watched(device.queue.onSubmittedWorkDone());
    return new WebgpuResident(samples, chunks, memory);
  });
}

/** `pixels` pixels of samples, from pixel `first` on. */
interface Part {
  readonly samples: Samples;
  readonly first: number;
  readonly pixels: number;
}

/** Copies samples to a buffer's start. */
export function fillPixels(
  filler: Filler,
  { samples, first, pixels }: Part,
  to: GPUBuffer,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pixelBytes = pixelBytesOf(samples);
  const most = alignedPixels(own.PIECE_BYTES, pixelBytes);
  return filler.fill(to, pixels * pixelBytes, most * pixelBytes, signal, (from, size, into) => {
    writePixels({ samples, first: first + from / pixelBytes, pixels: size / pixelBytes }, into);
  });
}

export function pixelBytesOf({ type, channels }: Pick<Samples, "type" | "channels">): number {
  return SAMPLE_TRAITS[type].bytes * channels;
}

/** Returns the pixels that fit into this number of bytes and always are whole words. */
function alignedPixels(bytes: number, pixelBytes: number): number {
  const pixels = Math.floor(bytes / pixelBytes);
  return pixels - (pixels % own.ALIGN_PIXELS);
}

/** Copies samples to consecutive memory. @throws ERR_INPUT if their memory is gone. */
function writePixels({ samples, first, pixels }: Part, to: Uint8Array): void {
  const { bytes, dense, rowPitch } = samples;
  const pixelBytes = pixelBytesOf(samples);
  // Dense samples are one row.
  const width = dense ? samples.pixels : samples.width;
  for (let done = 0; done < pixels; ) {
    const row = Math.floor((first + done) / width);
    const column = (first + done) % width;
    const count = Math.min(width - column, pixels - done);
    const from = row * rowPitch + column * pixelBytes;
    to.set(bytesFrom(bytes, from, count * pixelBytes), done * pixelBytes);
    done += count;
  }
}

import type { External, SampleType } from "@polybin/core";
import {
  checkedChannels,
  checkedWhole,
  checkNames,
  expected,
  limits,
  SAMPLE_TRAITS,
  SAMPLE_TYPES,
} from "@polybin/core/backend";
import { type Known, type WebgpuLimits, wrong } from "../base/index.ts";
import { gather, gridFor, plainThreads } from "../kernels/index.ts";
import { own, type Pipelines, USAGE } from "../platform/index.ts";
import { padded } from "./buffers.ts";
import { DeviceSamples, type Piece, pieceBytes, type Run, runsOf } from "./external.ts";

/** The layout of samples in a GPUBuffer. No option is required: by default the buffer is one row of bytes. */
export interface BufferSamplesOptions {
  /** The type of samples, little-endian as GPUs are. Default: "u8". */
  readonly type?: SampleType | undefined;
  /** Interleaved samples per pixel, 1 to 4. Default: 1. */
  readonly channels?: number | undefined;
  /** Pixels of one dense run. For rows, give `width` instead. Default: all from `offset` to the end of the buffer. */
  readonly pixels?: number | undefined;
  /** Pixels per row. */
  readonly width?: number | undefined;
  /** Number of rows. Default: 1. */
  readonly height?: number | undefined;
  /** Bytes from row to row, such as copyTextureToBuffer's multiple of 256. Default: the rows are dense. */
  readonly rowPitch?: number | undefined;
  /** Bytes before the first sample; any number. Default: 0. */
  readonly offset?: number | undefined;
}

const NAMES: readonly string[] = [
  "type",
  "channels",
  "pixels",
  "width",
  "height",
  "rowPitch",
  "offset",
] satisfies (keyof BufferSamplesOptions)[];

/**
 * Wraps samples in a GPUBuffer with STORAGE usage, so that an engine counts them where they lie. From byte `offset` on
 * there are `height` rows of `width` pixels with `channels` samples each. The rows are `rowPitch` bytes apart. A count
 * reads what the buffer holds when the count runs on the queue. The engine must use the buffer's device: `webgpu({
 * device })`.
 *
 * Kernels read dense samples in place if they begin at a multiple of the device's minStorageBufferOffsetAlignment. The
 * device first copies other samples to a dense buffer, up to 32 MiB at a time.
 * @throws ERR_INPUT if the buffer cannot be bound or is too small for the samples. A count throws ERR_INPUT if the
 * buffer is mapped, destroyed or from another device.
 */
export function bufferSamples(buffer: Known<"GPUBuffer">, options: BufferSamplesOptions = {}): External {
  checkBuffer(buffer, "buffer");
  checkNames(options, NAMES);
  const { type = "u8", offset: from } = options;
  if (!SAMPLE_TYPES.includes(type)) {
    throw expected("ERR_INPUT", "type", `one of ${SAMPLE_TYPES.join(", ")}`, type);
  }
  const channels = checkedChannels(options.channels ?? 1, "channels");
  const offset = checkedWhole(from ?? 0, "offset", 0, buffer.size);
  const pixelBytes = SAMPLE_TRAITS[type].bytes * channels;
  const { width, height, rowPitch } = rowsOf(options, buffer.size - offset, pixelBytes);
  const empty = width === 0 || height === 0;
  const end = empty ? offset : offset + (height - 1) * rowPitch + width * pixelBytes;
  if (end > buffer.size) {
    throw wrong(
      `expected at least ${end} bytes for ${height} rows of ${width} pixels from byte ${offset} on but the buffer has ` +
        `${buffer.size}`,
    );
  }
  if (!empty && end > bindable(buffer)) {
    throw wrong(
      `expected samples in whole words of the buffer but they end in its last ${buffer.size % limits.WORD_BYTES} bytes, ` +
        `which WebGPU cannot bind: make its size a multiple of ${limits.WORD_BYTES}`,
    );
  }
  const isDense = height <= 1 || rowPitch === width * pixelBytes;
  return new BufferSamples(buffer, type, channels, {
    offset,
    pixelBytes,
    ...(isDense
      ? { width: width * height, height: 1, rowPitch: width * height * pixelBytes }
      : { width, height, rowPitch }),
  });
}

/** Checks that a value is a buffer that can be bound for storage. @throws ERR_INPUT @internal */
export function checkBuffer(buffer: unknown, name: string): asserts buffer is GPUBuffer {
  const given = buffer as GPUBuffer | null | undefined;
  if (typeof given?.mapAsync !== "function" || typeof given.size !== "number") {
    throw expected("ERR_INPUT", name, "a GPUBuffer", buffer);
  }
  if ((given.usage & USAGE.STORAGE) === 0) {
    throw wrong(`expected STORAGE usage of ${name} but it has 0x${given.usage.toString(16)}`);
  }
}

/** @throws ERR_INPUT if the buffer is mapped or about to be. @internal */
export function checkUnmapped(buffer: GPUBuffer, name: string): void {
  if (buffer.mapState !== "unmapped") {
    throw wrong(
      `expected a buffer that the device may use for ${name} but it is ${buffer.mapState}: unmap it`,
    );
  }
}

/** Returns the bytes that a binding can reach, which are whole words. @internal */
export function bindable({ size }: GPUBuffer): number {
  return size - (size % limits.WORD_BYTES);
}

function rowsOf(
  { pixels, width: given, height: rows, rowPitch: pitch }: BufferSamplesOptions,
  bytes: number,
  pixelBytes: number,
): Pick<Geometry, "width" | "height" | "rowPitch"> {
  if (given !== undefined) {
    if (pixels !== undefined) throw wrong("expected either pixels or width but received both");
    const width = checkedWhole(given, "width", 0);
    const height = checkedWhole(rows ?? 1, "height", 0);
    return {
      width,
      height,
      rowPitch: checkedWhole(pitch ?? width * pixelBytes, "rowPitch", width * pixelBytes),
    };
  }
  if (rows !== undefined || pitch !== undefined) {
    throw wrong("expected width together with height or rowPitch but it is missing");
  }
  if (pixels === undefined && bytes % pixelBytes !== 0) {
    throw wrong(
      `expected a whole number of pixels of ${pixelBytes} bytes from offset to the end of the buffer but there are ` +
        `${bytes} bytes; give pixels`,
    );
  }
  const width = checkedWhole(pixels ?? bytes / pixelBytes, "pixels", 0);
  return { width, height: 1, rowPitch: width * pixelBytes };
}

/** Rows in a buffer. Dense rows count as one row. */
interface Geometry {
  readonly offset: number;
  readonly pixelBytes: number;
  readonly width: number;
  readonly height: number;
  readonly rowPitch: number;
}

class BufferSamples extends DeviceSamples {
  readonly #buffer: GPUBuffer;
  readonly #geometry: Geometry;

  constructor(buffer: GPUBuffer, type: SampleType, channels: number, geometry: Geometry) {
    super({ type, channels, pixels: geometry.width * geometry.height });
    this.#buffer = buffer;
    this.#geometry = geometry;
  }

  check(): void {
    checkUnmapped(this.#buffer, "samples");
  }

  async pieces(pipelines: Pipelines, of: WebgpuLimits, copied = false): Promise<readonly Piece[]> {
    const { offset, pixelBytes, width, height, rowPitch } = this.#geometry;
    const isInPlace = !copied && height === 1 && offset % of.alignment === 0;
    const inPlace = isInPlace ? [...this.#inPlace(of)] : [];
    const done = inPlace.reduce((sum, { pixels }) => sum + pixels, 0);
    if (done === this.pixels) return inPlace;
    const threads = plainThreads(of);
    const ready = await pipelines.ready(gather(threads));
    const start = offset + done * pixelBytes;
    const rest = width - done;
    const mostPixels = Math.floor(pieceBytes(of) / pixelBytes);
    const mostRows = Math.floor((of.chunkBytes - 2 * of.alignment - rest * pixelBytes) / rowPitch) + 1;
    const gathered = (run: Run): Piece => {
      const first = start + run.y * rowPitch + run.x * pixelBytes;
      const left = first % of.alignment;
      const rowSize = run.width * pixelBytes;
      const count = rowSize * run.height;
      const words = limits.divideCeiling(left + (run.height - 1) * rowPitch + rowSize, limits.WORD_BYTES);
      // A single row has no next one, and its pitch may not fit into 32 bits.
      const params = { count, rowSize, rowPitch: run.height > 1 ? rowPitch : rowSize, left };
      const data = { buffer: this.#buffer, offset: first - left, size: words * limits.WORD_BYTES };
      const grid = [gridFor(count / limits.WORD_BYTES, threads, of)] as const;
      return {
        pixels: run.width * run.height,
        data: "dense",
        denseBytes: padded(count),
        before: [{ ...ready, params, data, scratch: "dense", grid }],
      };
    };
    return [...inPlace, ...Array.from(runsOf({ width: rest, height }, mostPixels, mostRows), gathered)];
  }

  /**
   * Yields the pieces that kernels may read as whole vectors. A last, partial vector at the buffer's end is not among
   * them.
   */
  *#inPlace({ chunkBytes, chunkSamples }: WebgpuLimits): Generator<Piece> {
    const { offset: start, pixelBytes } = this.#geometry;
    const room = Math.min(Math.floor(chunkBytes / pixelBytes), chunkSamples);
    const most = room - (room % own.ALIGN_PIXELS);
    for (let first = 0; first < this.pixels; ) {
      const offset = start + first * pixelBytes;
      let pixels = Math.min(most, this.pixels - first);
      // This number of pixels is a whole number of vectors for every pixel size.
      if (offset + padded(pixels * pixelBytes) > this.#buffer.size) pixels -= pixels % limits.VECTOR_BYTES;
      if (pixels === 0) return;
      const size = padded(pixels * pixelBytes);
      yield { pixels, data: { buffer: this.#buffer, offset, size }, before: [], denseBytes: 0 };
      first += pixels;
    }
  }
}

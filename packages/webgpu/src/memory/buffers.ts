import { limits } from "@polybin/core/backend";
import { USAGE } from "../platform/index.ts";

/** A buffer that is replaced by a larger one when it is too small. */
export class Growing {
  readonly #device: GPUDevice;
  readonly #usage: GPUBufferUsageFlags;
  #buffer: GPUBuffer | null = null;

  constructor(device: GPUDevice, usage: GPUBufferUsageFlags) {
    this.#device = device;
    this.#usage = usage;
  }

  /** Returns the buffer if it has room for this number of bytes. */
  found(bytes: number): GPUBuffer | null {
    return this.#buffer !== null && this.#buffer.size >= bytes ? this.#buffer : null;
  }

  /**
   * Does the same with room for the padding that a load may touch, and creates the buffer if there is none. `most` is
   * the number of bytes that the device can bind.
   */
  of(bytes: number, most: number = Number.POSITIVE_INFINITY): GPUBuffer {
    const found = this.found(bytes);
    if (found !== null) return found;
    this.#buffer?.destroy();
    const size = padded(Math.min(rounded(bytes + limits.GPU_PADDING_BYTES), Math.max(most, bytes)));
    this.#buffer = this.#device.createBuffer({ size, usage: this.#usage });
    return this.#buffer;
  }

  free(): void {
    this.#buffer?.destroy();
    this.#buffer = null;
  }
}

/** Rounds up, so that a slightly larger request still fits. */
export function rounded(bytes: number): number {
  return 2 ** Math.ceil(Math.log2(bytes));
}

/** Rounds up to whole vectors. */
export function padded(bytes: number): number {
  return Math.max(1, limits.divideCeiling(bytes, limits.VECTOR_BYTES)) * limits.VECTOR_BYTES;
}

/** The lookup tables of the axes, or of several together, that were used last. */
export class Lookups {
  readonly #device: GPUDevice;
  readonly #kept = new Map<object, GPUBuffer>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  of(key: object, make: () => Uint32Array<ArrayBuffer>): GPUBuffer {
    let buffer = this.#kept.get(key);
    if (buffer === undefined) {
      const words = make();
      buffer = this.#device.createBuffer({
        size: padded(words.byteLength),
        usage: USAGE.STORAGE | USAGE.COPY_DST,
      });
      this.#device.queue.writeBuffer(buffer, 0, words);
    }
    // The first entry of a Map is the oldest.
    this.#kept.delete(key);
    this.#kept.set(key, buffer);
    if (this.#kept.size > limits.KEPT_LOWERINGS) {
      const [oldest, old] = this.#kept.entries().next().value!;
      old.destroy();
      this.#kept.delete(oldest);
    }
    return buffer;
  }

  /** Returns the buffer if it is kept. */
  kept(key: object): GPUBuffer | undefined {
    return this.#kept.get(key);
  }

  free(): void {
    for (const buffer of this.#kept.values()) buffer.destroy();
    this.#kept.clear();
  }
}

/**
 * The buffers that the calls on a device share, one call at a time. Each is created when it is first used, also after
 * `free`. A buffer that the device refused is kept like any other, so the caller that receives the error must free all.
 */
export class Buffers {
  /** Samples from host memory. */
  readonly input: Growing;
  /** The same for the columns of a joint histogram, and its mask. */
  readonly columns: readonly Growing[];
  /** The cells of samples, and the indices of selected ones. */
  readonly cells: Growing;
  readonly list: Growing;
  readonly codes: Growing;
  readonly histograms: Growing;
  readonly counts: Growing;
  readonly params: Growing;
  readonly readback: Growing;
  /** Weighted sums: what kernels read in addition to the table, and what they add up. */
  readonly weights: Growing;
  readonly squares: Growing;
  readonly documents: Growing;
  readonly features: Growing;
  readonly totals: Growing;
  readonly lookups: Lookups;
  readonly #nothingRead: Growing;
  readonly #nothingWritten: Growing;
  readonly #growing: readonly Growing[];

  constructor(device: GPUDevice) {
    const growing = (usage: GPUBufferUsageFlags) => new Growing(device, usage);
    const { STORAGE, COPY_DST, COPY_SRC, UNIFORM, MAP_READ } = USAGE;
    this.input = growing(STORAGE | COPY_SRC | COPY_DST);
    this.columns = Array.from({ length: limits.MAX_JOINT_COLUMNS + 1 }, () => growing(STORAGE | COPY_DST));
    this.cells = growing(STORAGE);
    this.list = growing(STORAGE | COPY_DST);
    this.codes = growing(STORAGE);
    this.histograms = growing(STORAGE);
    this.counts = growing(STORAGE | COPY_SRC | COPY_DST);
    this.params = growing(UNIFORM | COPY_DST);
    this.readback = growing(MAP_READ | COPY_DST);
    this.weights = growing(STORAGE | COPY_DST);
    this.squares = growing(STORAGE | COPY_DST);
    this.documents = growing(STORAGE | COPY_DST);
    this.features = growing(STORAGE | COPY_DST);
    this.totals = growing(STORAGE | COPY_SRC | COPY_DST);
    this.#nothingRead = growing(STORAGE);
    this.#nothingWritten = growing(STORAGE);
    this.#growing = [
      this.input,
      ...this.columns,
      this.cells,
      this.list,
      this.codes,
      this.histograms,
      this.counts,
      this.params,
      this.readback,
      this.weights,
      this.squares,
      this.documents,
      this.features,
      this.totals,
      this.#nothingRead,
      this.#nothingWritten,
    ];
    this.lookups = new Lookups(device);
  }

  /** The buffer to bind if a kernel reads nothing. */
  get nothingRead(): GPUBuffer {
    return this.#nothingRead.of(1);
  }

  /** The buffer to bind if a kernel writes nothing. */
  get nothingWritten(): GPUBuffer {
    return this.#nothingWritten.of(1);
  }

  free(): void {
    for (const buffer of this.#growing) buffer.free();
    this.lookups.free();
  }
}

import { limits } from "@polybin/core/backend";
import { Lately } from "../base/index.ts";
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
  readonly #kept = new Lately<object, GPUBuffer>(limits.KEPT_LOWERINGS, (old) => old.destroy());

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Returns the buffer of an object's words, or null if there are none. */
  of(lookup: Lookup | null): GPUBuffer | null {
    return lookup && this.#kept.of(lookup.key, () => this.#make(lookup.words()));
  }

  #make(words: Uint32Array<ArrayBuffer>): GPUBuffer {
    const usage = USAGE.STORAGE | USAGE.COPY_DST;
    const buffer = this.#device.createBuffer({ size: padded(words.byteLength), usage });
    this.#device.queue.writeBuffer(buffer, 0, words);
    return buffer;
  }

  /** Returns the buffer if it is kept. */
  kept(key: object): GPUBuffer | undefined {
    return this.#kept.found(key);
  }

  free(): void {
    this.#kept.clear();
  }
}

/** Words that kernels look up, and the object that they belong to. */
export interface Lookup {
  readonly key: object;
  readonly words: () => Uint32Array<ArrayBuffer>;
}

/** The buffers to bind if a kernel reads or writes nothing. */
export class Nothing {
  readonly #read: Growing;
  readonly #written: Growing;

  constructor(device: GPUDevice) {
    this.#read = new Growing(device, USAGE.STORAGE);
    this.#written = new Growing(device, USAGE.STORAGE);
  }

  get read(): GPUBuffer {
    return this.#read.of(1);
  }

  get written(): GPUBuffer {
    return this.#written.of(1);
  }

  free(): void {
    this.#read.free();
    this.#written.free();
  }
}

const { STORAGE, COPY_DST, COPY_SRC, UNIFORM } = USAGE;

/** Samples and their counts. `input` has samples from host memory, or a dense copy of a user's. */
type CountingBuffer = "input" | "cells" | "list" | "codes" | "histograms" | "counts" | "params";
/** Weighted sums: what kernels read in addition to the table, and what they add up. */
type SumsBuffer = "weights" | "squares" | "documents" | "features" | "totals";
type SharedBuffer = CountingBuffer | SumsBuffer;

const SHARED: Readonly<Record<SharedBuffer, GPUBufferUsageFlags>> = {
  input: STORAGE | COPY_SRC | COPY_DST,
  cells: STORAGE,
  list: STORAGE | COPY_DST,
  codes: STORAGE,
  histograms: STORAGE,
  counts: STORAGE | COPY_SRC | COPY_DST,
  params: UNIFORM | COPY_DST,
  weights: STORAGE | COPY_DST,
  squares: STORAGE | COPY_DST,
  documents: STORAGE | COPY_DST,
  features: STORAGE | COPY_DST,
  totals: STORAGE | COPY_SRC | COPY_DST,
};

/**
 * The buffers that the calls on a device share, one call at a time. Each is created when it is first used, also after
 * `free`. A buffer that the device refused is kept like any other, so the caller that receives the error must free all.
 */
export interface Buffers extends Readonly<Record<SharedBuffer, Growing>> {
  /** Samples of the columns of a joint histogram, and of its mask. */
  readonly columns: readonly Growing[];
  readonly lookups: Lookups;
  readonly nothing: Nothing;
  free(): void;
}

export function sharedBuffers(device: GPUDevice): Buffers {
  const growing = Object.entries(SHARED).map(([name, usage]) => [name, new Growing(device, usage)] as const);
  const shared = Object.fromEntries(growing) as Record<SharedBuffer, Growing>;
  const usage = STORAGE | COPY_DST;
  const columns = Array.from({ length: limits.MAX_JOINT_COLUMNS + 1 }, () => new Growing(device, usage));
  const lookups = new Lookups(device);
  const nothing = new Nothing(device);
  const all = [...Object.values(shared), ...columns, lookups, nothing];
  return {
    ...shared,
    columns,
    lookups,
    nothing,
    free: () => {
      for (const buffers of all) buffers.free();
    },
  };
}

import type { Lowering } from "@polybin/core/backend";
import type { WebgpuLimits } from "../base/index.ts";
import { type Hardware, own, USAGE } from "../platform/index.ts";
import { padded, rounded } from "./buffers.ts";

/** What a job's commands need, beside what is the user's. */
export interface JobNeeds {
  readonly lowering: Lowering;
  /** Does a plan count samples' own bits? Then the lowering's lookup is another. */
  readonly raw: boolean;
  readonly lookup: (() => Uint32Array<ArrayBuffer>) | null;
  readonly params: Uint32Array<ArrayBuffer>;
  /** Bytes of counts that are cleared and counted; or the counts, where nothing is. */
  readonly counts: number | Uint32Array<ArrayBuffer>;
  readonly codesBytes: number;
  readonly histogramsBytes: number;
  readonly denseBytes: number;
}

/** The buffers of a job, for commands that may be submitted at any time. */
interface Made {
  readonly params: GPUBuffer;
  readonly lookup: GPUBuffer;
  readonly counts: GPUBuffer;
  readonly nothing: GPUBuffer;
  readonly none: GPUBufferBinding;
  readonly codes: GPUBufferBinding;
  readonly histograms: GPUBufferBinding;
  readonly dense: GPUBufferBinding;
}

type Make = () => GPUBuffer;

/**
 * The buffers of jobs that are encoded. A user submits commands whenever it likes, so nothing here is ever written again
 * by the host, or destroyed: what is no longer kept lives until the last command buffer that names it is collected.
 *
 * What kernels write is shared by all jobs, whatever their kind: the queue runs one after the other, and each clears or
 * writes what it reads, in commands of its own. What the host writes is kept by what is in it.
 */
export class JobBuffers {
  readonly #hardware: Hardware;
  readonly #counts: Scratch;
  readonly #codes: Scratch;
  readonly #histograms: Scratch;
  readonly #dense: Scratch;
  readonly #none: Scratch;
  readonly #nothing: Scratch;
  readonly #filled: Lately;
  readonly #lookups: Lately;
  readonly #numbers = new WeakMap<Lowering, number>();
  #lowerings = 0;

  constructor(hardware: Hardware, { chunkBytes }: WebgpuLimits) {
    this.#hardware = hardware;
    const { STORAGE, COPY_DST } = USAGE;
    const checked = (make: Make) => hardware.checked(make);
    const scratch = (usage: GPUBufferUsageFlags) =>
      new Scratch(chunkBytes, (size) => checked(() => hardware.device.createBuffer({ size, usage })));
    this.#counts = scratch(STORAGE | COPY_DST);
    this.#codes = scratch(STORAGE);
    this.#histograms = scratch(STORAGE);
    this.#dense = scratch(STORAGE);
    this.#none = scratch(STORAGE);
    this.#nothing = scratch(STORAGE);
    this.#filled = new Lately(checked);
    this.#lookups = new Lately(checked);
  }

  /** Those of a job, as they were left by others, or new ones. @throws ERR_OUT_OF_MEMORY */
  async of(needs: JobNeeds): Promise<Made> {
    const { lowering, raw, lookup, params, counts } = needs;
    const scratch = (of: Scratch, bytes: number) => (bytes === 0 ? this.#none : of).of(bytes);
    const all = await Promise.all([
      this.#written(params, USAGE.UNIFORM),
      lookup === null
        ? this.#nothing.of(0)
        : this.#lookups.of(`${this.#number(lowering)} ${raw}`, () => this.#make(lookup(), USAGE.STORAGE)),
      typeof counts === "number" ? this.#counts.of(counts) : this.#written(counts, USAGE.STORAGE),
      this.#nothing.of(0),
      this.#none.of(0),
      scratch(this.#codes, needs.codesBytes),
      scratch(this.#histograms, needs.histogramsBytes),
      scratch(this.#dense, needs.denseBytes),
    ]);
    const [own, table, counted, nothing, none, codes, histograms, dense] = all;
    return {
      params: own,
      lookup: table,
      counts: counted,
      nothing,
      none: { buffer: none },
      codes: { buffer: codes },
      histograms: { buffer: histograms },
      dense: { buffer: dense },
    };
  }

  /** Keeps nothing; what a user's commands name is theirs. */
  forget(): void {
    for (const of of [this.#counts, this.#codes, this.#histograms, this.#dense]) of.forget();
    for (const of of [this.#none, this.#nothing, this.#filled, this.#lookups]) of.forget();
  }

  #number(lowering: Lowering): number {
    const number = this.#numbers.get(lowering) ?? this.#lowerings++;
    this.#numbers.set(lowering, number);
    return number;
  }

  #written(words: Uint32Array<ArrayBuffer>, usage: GPUBufferUsageFlags): Promise<GPUBuffer> {
    return this.#filled.of(`${usage} ${words.join(" ")}`, () => this.#make(words, usage));
  }

  /** Filled from the start: a write would be a command of the queue. */
  #make(words: Uint32Array<ArrayBuffer>, usage: GPUBufferUsageFlags): GPUBuffer {
    const size = padded(words.byteLength);
    const buffer = this.#hardware.device.createBuffer({ size, usage, mappedAtCreation: true });
    new Uint32Array(buffer.getMappedRange(), 0, words.length).set(words);
    buffer.unmap();
    return buffer;
  }
}

/** A buffer that all jobs write; a larger one takes its place where it is too small. */
class Scratch {
  readonly #most: number;
  readonly #make: (size: number) => Promise<GPUBuffer>;
  #made: Promise<GPUBuffer> | null = null;
  #size = 0;

  /** `most`: bytes that can be bound. */
  constructor(most: number, make: (size: number) => Promise<GPUBuffer>) {
    this.#most = most;
    this.#make = make;
  }

  /** Room for so many bytes, or none, but a buffer all the same. */
  of(bytes: number): Promise<GPUBuffer> {
    if (this.#made !== null && this.#size >= bytes) return this.#made;
    this.#size = padded(Math.min(rounded(bytes), Math.max(this.#most, bytes)));
    const made = this.#make(this.#size);
    this.#made = made;
    made.catch(() => {
      if (this.#made === made) this.forget();
    });
    return made;
  }

  forget(): void {
    this.#made = null;
  }
}

/** Buffers that were asked for lately, by a key. */
class Lately {
  readonly #checked: (make: Make) => Promise<GPUBuffer>;
  readonly #kept = new Map<string, Promise<GPUBuffer>>();

  constructor(checked: (make: Make) => Promise<GPUBuffer>) {
    this.#checked = checked;
  }

  of(key: string, make: Make): Promise<GPUBuffer> {
    const made = this.#kept.get(key) ?? this.#checked(make);
    // The oldest entry of a Map is its first.
    this.#kept.delete(key);
    this.#kept.set(key, made);
    if (this.#kept.size > own.ENCODED_JOBS) this.#kept.delete(this.#kept.keys().next().value!);
    made.catch(() => this.#kept.delete(key));
    return made;
  }

  forget(): void {
    this.#kept.clear();
  }
}

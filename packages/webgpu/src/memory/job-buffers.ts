import type { WebgpuLimits } from "../base/index.ts";
import { type Hardware, own, USAGE } from "../platform/index.ts";
import { padded, rounded } from "./buffers.ts";

/** Words that kernels look up, and all that they depend on. Objects in the key never change. */
export interface JobLookup {
  readonly key: readonly (object | number | null)[];
  readonly words: () => Uint32Array<ArrayBuffer>;
}

/** The buffers that a job's commands need, in addition to the user's. */
export interface JobNeeds {
  /** The lookup of the kernels that count, and that of the kernels that fold the counts. */
  readonly lookup: JobLookup | null;
  readonly table: JobLookup | null;
  readonly params: Uint32Array<ArrayBuffer>;
  /** Bytes of counts that are cleared and then counted, or the counts themselves if nothing is counted. */
  readonly counts: number | Uint32Array<ArrayBuffer>;
  readonly codesBytes: number;
  readonly histogramsBytes: number;
  readonly denseBytes: number;
}

/** The buffers of a job, for commands that the user may submit at any time. */
interface Made {
  readonly params: GPUBuffer;
  readonly lookup: GPUBuffer;
  readonly table: GPUBuffer;
  readonly counts: GPUBuffer;
  readonly nothing: GPUBuffer;
  readonly none: GPUBufferBinding;
  readonly codes: GPUBufferBinding;
  readonly histograms: GPUBufferBinding;
  readonly dense: GPUBufferBinding;
}

type Make = () => GPUBuffer;

/**
 * The buffers of jobs in users' encoders. A user may submit commands at any time, so the host never writes these
 * buffers again and never destroys them. A buffer that is no longer kept lives until the last command buffer that names
 * it is collected.
 *
 * All jobs of all kinds share the buffers that kernels write: the queue runs the jobs in order, and each
 * clears or writes its inputs in its own commands. The buffers that the host writes are kept by their content.
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
  readonly #tables: Lately;
  readonly #numbers = new WeakMap<object, number>();
  #keys = 0;

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
    this.#tables = new Lately(checked);
  }

  /** Returns the buffers of a job: those of earlier jobs, or new ones. @throws ERR_OUT_OF_MEMORY */
  async of(needs: JobNeeds): Promise<Made> {
    const { lookup, table, params, counts } = needs;
    const scratch = (of: Scratch, bytes: number) => (bytes === 0 ? this.#none : of).of(bytes);
    const all = await Promise.all([
      this.#written(params, USAGE.UNIFORM),
      this.#looked(this.#lookups, lookup),
      this.#looked(this.#tables, table),
      typeof counts === "number" ? this.#counts.of(counts) : this.#written(counts, USAGE.STORAGE),
      this.#nothing.of(0),
      this.#none.of(0),
      scratch(this.#codes, needs.codesBytes),
      scratch(this.#histograms, needs.histogramsBytes),
      scratch(this.#dense, needs.denseBytes),
    ]);
    const [own, looked, sorted, counted, nothing, none, codes, histograms, dense] = all;
    return {
      params: own,
      lookup: looked,
      table: sorted,
      counts: counted,
      nothing,
      none: { buffer: none },
      codes: { buffer: codes },
      histograms: { buffer: histograms },
      dense: { buffer: dense },
    };
  }

  /** Drops all buffers. The user's commands keep those that they name. */
  forget(): void {
    for (const of of [this.#counts, this.#codes, this.#histograms, this.#dense]) of.forget();
    for (const of of [this.#none, this.#nothing]) of.forget();
    for (const of of [this.#filled, this.#lookups, this.#tables]) of.forget();
  }

  #looked(kept: Lately, of: JobLookup | null): Promise<GPUBuffer> {
    if (of === null) return this.#nothing.of(0);
    const key = of.key.map((part) => (typeof part === "object" ? `object ${this.#number(part)}` : part));
    return kept.of(key.join(), () => this.#make(of.words(), USAGE.STORAGE));
  }

  #number(key: object | null): number | null {
    if (key === null) return null;
    const number = this.#numbers.get(key) ?? this.#keys++;
    this.#numbers.set(key, number);
    return number;
  }

  #written(words: Uint32Array<ArrayBuffer>, usage: GPUBufferUsageFlags): Promise<GPUBuffer> {
    return this.#filled.of(`${usage} ${words.join(" ")}`, () => this.#make(words, usage));
  }

  /** Creates a buffer with its content, because a later write would be a command of the queue. */
  #make(words: Uint32Array<ArrayBuffer>, usage: GPUBufferUsageFlags): GPUBuffer {
    const size = padded(words.byteLength);
    const buffer = this.#hardware.device.createBuffer({ size, usage, mappedAtCreation: true });
    new Uint32Array(buffer.getMappedRange(), 0, words.length).set(words);
    buffer.unmap();
    return buffer;
  }
}

/** A buffer that all jobs write. A larger one replaces it when it is too small. */
class Scratch {
  readonly #most: number;
  readonly #make: (size: number) => Promise<GPUBuffer>;
  #made: Promise<GPUBuffer> | null = null;
  #size = 0;

  /** `most` is the number of bytes that can be bound. */
  constructor(most: number, make: (size: number) => Promise<GPUBuffer>) {
    this.#most = most;
    this.#make = make;
  }

  /** Returns a buffer with room for this number of bytes. For 0 bytes it returns a buffer, too. */
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

/** The buffers that were used last, by a key. */
class Lately {
  readonly #checked: (make: Make) => Promise<GPUBuffer>;
  readonly #kept = new Map<string, Promise<GPUBuffer>>();

  constructor(checked: (make: Make) => Promise<GPUBuffer>) {
    this.#checked = checked;
  }

  of(key: string, make: Make): Promise<GPUBuffer> {
    const made = this.#kept.get(key) ?? this.#checked(make);
    // The first entry of a Map is the oldest.
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

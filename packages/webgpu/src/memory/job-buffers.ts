import { Lately, started, type WebgpuLimits } from "../base/index.ts";
import { type Hardware, own, USAGE } from "../platform/index.ts";
import { padded, rounded } from "./buffers.ts";

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

/** Words that kernels look up, and all that they depend on. Objects in the key never change. */
export interface JobLookup {
  readonly key: readonly (object | number | null)[];
  readonly words: () => Uint32Array<ArrayBuffer>;
}

const { STORAGE, COPY_DST, UNIFORM } = USAGE;

/** The buffers that all jobs share. Kernels that read or write nothing bind the last two. */
type SharedBuffer = "counts" | "codes" | "histograms" | "dense" | "read" | "written";

const SHARED: Readonly<Record<SharedBuffer, GPUBufferUsageFlags>> = {
  counts: STORAGE | COPY_DST,
  ...{ codes: STORAGE, histograms: STORAGE, dense: STORAGE },
  ...{ read: STORAGE, written: STORAGE },
};

/** The buffers of a job, for commands that the user may submit at any time. */
type JobBuffer = SharedBuffer | "params" | "lookup" | "table";

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
  readonly #shared: Readonly<Record<SharedBuffer, Scratch>>;
  readonly #filled = new Lately<string, Promise<GPUBuffer>>(own.ENCODED_JOBS);
  readonly #lookups = new Lately<string, Promise<GPUBuffer>>(own.ENCODED_JOBS);
  readonly #tables = new Lately<string, Promise<GPUBuffer>>(own.ENCODED_JOBS);
  readonly #numbers = new WeakMap<object, number>();
  #keys = 0;

  constructor(hardware: Hardware, { chunkBytes }: WebgpuLimits) {
    this.#hardware = hardware;
    const scratch = ([name, usage]: [string, GPUBufferUsageFlags]) => {
      const make = (size: number) => hardware.checked(() => hardware.device.createBuffer({ size, usage }));
      return [name, new Scratch(chunkBytes, make)];
    };
    this.#shared = Object.fromEntries(Object.entries(SHARED).map(scratch));
  }

  /** Returns the buffers of a job: those of earlier jobs, or new ones. @throws ERR_OUT_OF_MEMORY */
  async of(needs: JobNeeds): Promise<Readonly<Record<JobBuffer, GPUBuffer>>> {
    const { lookup, table, params, counts } = needs;
    const { counts: counted, codes, histograms, dense, read, written } = this.#shared;
    const scratch = (of: Scratch, bytes: number) => (bytes === 0 ? written : of).of(bytes);
    const all: Record<JobBuffer, Promise<GPUBuffer>> = {
      params: this.#written(params, UNIFORM),
      lookup: lookup === null ? read.of(0) : this.#looked(this.#lookups, lookup),
      table: table === null ? read.of(0) : this.#looked(this.#tables, table),
      counts: typeof counts === "number" ? counted.of(counts) : this.#written(counts, STORAGE),
      codes: scratch(codes, needs.codesBytes),
      histograms: scratch(histograms, needs.histogramsBytes),
      dense: scratch(dense, needs.denseBytes),
      read: read.of(0),
      written: written.of(0),
    };
    const made = await Promise.all(Object.values(all));
    return Object.fromEntries(Object.keys(all).map((name, i) => [name, made[i]!])) as Record<
      JobBuffer,
      GPUBuffer
    >;
  }

  /** Drops all buffers. The user's commands keep those that they name. */
  forget(): void {
    for (const of of Object.values(this.#shared)) of.forget();
    for (const of of [this.#filled, this.#lookups, this.#tables]) of.clear();
  }

  #looked(kept: Lately<string, Promise<GPUBuffer>>, { key, words }: JobLookup): Promise<GPUBuffer> {
    const parts = key.map((part) => (typeof part === "object" ? `object ${this.#number(part)}` : part));
    return started(kept, parts.join(), () => this.#make(words(), STORAGE));
  }

  #number(key: object | null): number | null {
    if (key === null) return null;
    const number = this.#numbers.get(key) ?? this.#keys++;
    this.#numbers.set(key, number);
    return number;
  }

  #written(words: Uint32Array<ArrayBuffer>, usage: GPUBufferUsageFlags): Promise<GPUBuffer> {
    return started(this.#filled, `${usage} ${words.join(" ")}`, () => this.#make(words, usage));
  }

  #make(words: Uint32Array<ArrayBuffer>, usage: GPUBufferUsageFlags): Promise<GPUBuffer> {
    return this.#hardware.checked(() => filledBuffer(this.#hardware.device, words, usage));
  }
}

/** Creates a buffer with its content, because a later write would be a command of the queue. */
export function filledBuffer(
  device: GPUDevice,
  words: Uint32Array<ArrayBuffer>,
  usage: GPUBufferUsageFlags,
): GPUBuffer {
  const buffer = device.createBuffer({ size: padded(words.byteLength), usage, mappedAtCreation: true });
  new Uint32Array(buffer.getMappedRange(), 0, words.length).set(words);
  buffer.unmap();
  return buffer;
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

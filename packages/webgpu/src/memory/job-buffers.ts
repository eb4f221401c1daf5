import { Lately, type WebgpuLimits } from "../base/index.ts";
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
  readonly #most: number;
  readonly #shared = new Map<SharedBuffer, GPUBuffer>();
  readonly #filled = new Lately<string, GPUBuffer>(own.ENCODED_JOBS);
  readonly #lookups = new Lately<string, GPUBuffer>(own.ENCODED_JOBS);
  readonly #tables = new Lately<string, GPUBuffer>(own.ENCODED_JOBS);
  readonly #numbers = new WeakMap<object, number>();
  #keys = 0;
  /** Settles when the device has accepted or refused all of these buffers. */
  #accepted: Promise<void> = Promise.resolve();

  constructor(hardware: Hardware, { chunkBytes }: Pick<WebgpuLimits, "chunkBytes">) {
    this.#hardware = hardware;
    this.#most = chunkBytes;
  }

  /** Returns the buffers of a job: those of earlier jobs, or new ones. @throws ERR_OUT_OF_MEMORY */
  async of(needs: JobNeeds): Promise<Readonly<Record<JobBuffer, GPUBuffer>>> {
    const { params, counts } = needs;
    const [read, written] = [this.#scratch("read", 0), this.#scratch("written", 0)];
    const scratch = (name: SharedBuffer, bytes: number) =>
      bytes === 0 ? written : this.#scratch(name, bytes);
    const looked = (kept: Lately<string, GPUBuffer>, of: JobLookup | null) =>
      of === null ? read : kept.of(this.#keyOf(of), () => this.#written(of.words(), STORAGE));
    const filled = (words: Uint32Array<ArrayBuffer>, usage: GPUBufferUsageFlags) =>
      this.#filled.of(`${usage} ${words.join(" ")}`, () => this.#written(words, usage));
    const all = {
      params: filled(params, UNIFORM),
      lookup: looked(this.#lookups, needs.lookup),
      table: looked(this.#tables, needs.table),
      counts: typeof counts === "number" ? scratch("counts", counts) : filled(counts, STORAGE),
      codes: scratch("codes", needs.codesBytes),
      histograms: scratch("histograms", needs.histogramsBytes),
      dense: scratch("dense", needs.denseBytes),
      ...{ read, written },
    };
    try {
      await this.#accepted;
    } catch (error) {
      this.forget();
      throw error;
    }
    return all;
  }

  /** Drops all buffers. The user's commands keep those that they name. */
  forget(): void {
    for (const of of [this.#shared, this.#filled, this.#lookups, this.#tables]) of.clear();
    this.#accepted = Promise.resolve();
  }

  #keyOf({ key }: JobLookup): string {
    const numberOf = (part: object) => {
      const number = this.#numbers.get(part) ?? this.#keys++;
      this.#numbers.set(part, number);
      return number;
    };
    return key.map((part) => (typeof part === "object" && part ? `#${numberOf(part)}` : part)).join();
  }

  /** Returns a buffer with room for this number of bytes. All jobs write it. */
  #scratch(name: SharedBuffer, bytes: number): GPUBuffer {
    const found = this.#shared.get(name);
    if (found !== undefined && found.size >= bytes) return found;
    const size = padded(Math.min(rounded(bytes), Math.max(this.#most, bytes)));
    const usage = name === "counts" ? STORAGE | COPY_DST : STORAGE;
    const buffer = this.#make(() => this.#hardware.device.createBuffer({ size, usage }));
    this.#shared.set(name, buffer);
    return buffer;
  }

  #written(words: Uint32Array<ArrayBuffer>, usage: GPUBufferUsageFlags): GPUBuffer {
    return this.#make(() => filledBuffer(this.#hardware.device, words, usage));
  }

  #make(create: () => GPUBuffer): GPUBuffer {
    const { value, errors } = this.#hardware.scoped(create);
    this.#accepted = Promise.all([this.#accepted, errors]).then(() => {});
    this.#accepted.catch(() => {});
    return value;
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

import { type Lowering, limits } from "@polybin/core";
import { padded } from "./buffers.ts";
import { USAGE } from "./flags.ts";

/** What a job's commands need, beside what is the user's. */
export interface JobNeeds {
  readonly lowering: Lowering;
  readonly lookup: (() => Uint32Array<ArrayBuffer>) | null;
  readonly params: Uint32Array<ArrayBuffer>;
  /** Words of all channels; `each`: what the first cell of each channel always holds, where nothing is counted. */
  readonly counts: { readonly words: number; readonly channels: number; readonly each?: number };
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

/**
 * Buffers of the jobs that were encoded lately, by all that is in them or that they must hold. A user submits commands
 * whenever it likes, so nothing here is ever written again by the host, made larger, or destroyed: what is no longer
 * kept lives until the last command buffer that names it is collected. Like jobs may share all of it, since the queue
 * runs one after the other and each clears its counts first.
 */
export class JobBuffers {
  readonly #device: GPUDevice;
  readonly #kept = new Map<string, Promise<Made>>();
  readonly #numbers = new WeakMap<Lowering, number>();
  #lowerings = 0;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Those of a like job; else new ones. `checked` makes them and waits for the verdict. */
  of(needs: JobNeeds, checked: (make: () => Made) => Promise<Made>): Promise<Made> {
    const { lowering, params, counts, codesBytes, histogramsBytes, denseBytes } = needs;
    const sizes = [counts.words, counts.each ?? -1, codesBytes, histogramsBytes, denseBytes];
    const key = [this.#number(lowering), ...sizes, ...params].join(" ");
    const made = this.#kept.get(key) ?? checked(() => this.#make(needs));
    // The oldest entry of a Map is its first.
    this.#kept.delete(key);
    this.#kept.set(key, made);
    if (this.#kept.size > limits.WEBGPU_ENCODED_JOBS) this.#kept.delete(this.#kept.keys().next().value!);
    made.catch(() => this.#kept.delete(key));
    return made;
  }

  #number(lowering: Lowering): number {
    const number = this.#numbers.get(lowering) ?? this.#lowerings++;
    this.#numbers.set(lowering, number);
    return number;
  }

  #make({ lookup, params, counts, codesBytes, histogramsBytes, denseBytes }: JobNeeds): Made {
    const { STORAGE, COPY_DST, UNIFORM } = USAGE;
    const none = { buffer: this.#empty(1, STORAGE) };
    const nothing = this.#empty(1, STORAGE);
    const scratch = (bytes: number) => (bytes === 0 ? none : { buffer: this.#empty(bytes, STORAGE) });
    const words = new Uint32Array(counts.words);
    const stride = counts.words / counts.channels;
    for (let at = 0; at < words.length; at += stride) words[at] = counts.each ?? 0;
    return {
      params: this.#filled(params, UNIFORM),
      lookup: lookup === null ? nothing : this.#filled(lookup(), STORAGE),
      counts: this.#filled(words, STORAGE | COPY_DST),
      nothing,
      none,
      codes: scratch(codesBytes),
      histograms: scratch(histogramsBytes),
      dense: scratch(denseBytes),
    };
  }

  #empty(bytes: number, usage: GPUBufferUsageFlags): GPUBuffer {
    return this.#device.createBuffer({ size: padded(bytes), usage });
  }

  /** Filled from the start: a write would be a command of the queue. */
  #filled(words: Uint32Array<ArrayBuffer>, usage: GPUBufferUsageFlags): GPUBuffer {
    const size = padded(words.byteLength);
    const buffer = this.#device.createBuffer({ size, usage, mappedAtCreation: true });
    new Uint32Array(buffer.getMappedRange(), 0, words.length).set(words);
    buffer.unmap();
    return buffer;
  }
}

import { limits } from "@polybin/core/backend";
import { packed } from "../kernels/index.ts";
import { Growing, Lookups, type OwnChunk } from "../memory/index.ts";
import { type Hardware, own, USAGE } from "../platform/index.ts";
import { bind, type Step } from "./encode.ts";
import { type CountSteps, countsOf } from "./prepare-count.ts";
import type { Program } from "./program.ts";

/** All that repeated calls record: the steps over a chunk and the counts that they write. */
export interface KeptCall {
  readonly steps: readonly Step[];
  readonly counts: GPUBuffer;
  readonly lookup: GPUBuffer | null;
  readonly params: GPUBuffer;
  dropped: boolean;
}

/** Returns the bytes of a call's counts. */
export function countsBytes({ channels, plan }: Pick<CountSteps, "channels" | "plan">): number {
  return channels.length * countsOf(plan) * limits.WORD_BYTES;
}

/** The bindings of calls over residents, kept for the next equal call. The oldest entry goes first. */
export class KeptCalls {
  readonly #hardware: Hardware;
  readonly #lookups: Lookups;
  readonly #nothingRead: Growing;
  readonly #nothingWritten: Growing;
  #known = new WeakMap<CountSteps, WeakMap<OwnChunk, KeptCall>>();
  /** In the order of their last use. */
  readonly #used = new Set<KeptCall>();
  #last: KeptCall | null = null;

  constructor(hardware: Hardware) {
    this.#hardware = hardware;
    this.#lookups = new Lookups(hardware.device);
    this.#nothingRead = new Growing(hardware.device, USAGE.STORAGE);
    this.#nothingWritten = new Growing(hardware.device, USAGE.STORAGE);
  }

  /** Returns the entry of an earlier call if everything in it still exists. */
  find(steps: CountSteps, chunk: OwnChunk, counts: GPUBuffer): KeptCall | null {
    const call = this.#known.get(steps)?.get(chunk);
    if (call === undefined || call.dropped || call.counts !== counts) return null;
    if (call.lookup !== null && this.#lookups.kept(steps.lookup!.key) !== call.lookup) return null;
    if (call !== this.#last) {
      this.#used.delete(call);
      this.#used.add(call);
      this.#last = call;
    }
    return call;
  }

  /** Creates an entry. It must run in an error scope, because the device may refuse a buffer. */
  make(steps: CountSteps, program: Program, chunk: OwnChunk, counts: GPUBuffer): KeptCall {
    const { device, pipelines } = this.#hardware;
    const dispatches = program.dispatches(chunk);
    const words = packed(dispatches);
    // Created with its content, because a later write would be a command of the queue.
    const params = device.createBuffer({
      size: words.byteLength,
      usage: USAGE.UNIFORM,
      mappedAtCreation: true,
    });
    new Uint32Array(params.getMappedRange()).set(words);
    params.unmap();
    const nothing = this.#nothingRead.of(1);
    const none = { buffer: this.#nothingWritten.of(1) };
    const { lookup: of } = steps;
    const lookup = of === null ? null : this.#lookups.of(of.key, of.words);
    const call = {
      steps: bind(device, dispatches, {
        pipelines,
        nothing,
        lookup: lookup ?? nothing,
        counts: { buffer: counts, size: countsBytes(steps) },
        scratch: { none, codes: none, histograms: none, dense: none, into: none },
        params,
      }),
      counts,
      lookup,
      params,
      dropped: false,
    };
    const known = this.#known.get(steps) ?? new WeakMap<OwnChunk, KeptCall>();
    this.#known.set(steps, known);
    const before = known.get(chunk);
    if (before !== undefined) this.#drop(before);
    known.set(chunk, call);
    this.#used.add(call);
    this.#last = call;
    // The first entry of a Set is the oldest.
    if (this.#used.size > own.KEPT_CALLS) this.#drop(this.#used.values().next().value!);
    return call;
  }

  #drop(call: KeptCall): void {
    call.dropped = true;
    call.params.destroy();
    this.#used.delete(call);
  }

  free(): void {
    for (const call of [...this.#used]) this.#drop(call);
    this.#known = new WeakMap();
    this.#last = null;
    this.#lookups.free();
    this.#nothingRead.free();
    this.#nothingWritten.free();
  }
}

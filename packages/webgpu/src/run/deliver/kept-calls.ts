import { packed } from "../../kernels/index.ts";
import { filledBuffer, Lookups, Nothing, type OwnChunk } from "../../memory/index.ts";
import { type Hardware, own, USAGE } from "../../platform/index.ts";
import type { Compiled } from "../context.ts";
import { dispatchesOf } from "../dispatch/channels.ts";
import { bind, placed, type Step } from "../dispatch/commands.ts";
import { type ChannelsSteps, countsBytes } from "../prepare/channels.ts";

/** All that repeated calls record: the steps over a chunk and the counts that they write. */
export interface KeptCall {
  readonly steps: readonly Step[];
  readonly counts: GPUBuffer;
  readonly lookup: GPUBuffer | null;
  readonly params: GPUBuffer;
  dropped: boolean;
}

/** The bindings of calls over residents, kept for the next equal call. The oldest entry goes first. */
export class KeptCalls {
  readonly #hardware: Hardware;
  readonly #lookups: Lookups;
  readonly #nothing: Nothing;
  #known = new WeakMap<ChannelsSteps, WeakMap<OwnChunk, KeptCall>>();
  /** In the order of their last use. */
  readonly #used = new Set<KeptCall>();
  #last: KeptCall | null = null;

  constructor(hardware: Hardware) {
    this.#hardware = hardware;
    this.#lookups = new Lookups(hardware.device);
    this.#nothing = new Nothing(hardware.device);
  }

  /** Returns the entry of an earlier call if everything in it still exists. */
  find(steps: ChannelsSteps, chunk: OwnChunk, counts: GPUBuffer): KeptCall | null {
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
  make(steps: ChannelsSteps, compiled: Compiled, chunk: OwnChunk, counts: GPUBuffer): KeptCall {
    const lookup = this.#lookups.of(steps.lookup);
    const commands = placed(dispatchesOf(steps, compiled, chunk), {
      nothing: this.#nothing,
      lookup,
      counts: { buffer: counts, size: countsBytes(steps) },
    });
    const params = filledBuffer(this.#hardware.device, packed(commands), USAGE.UNIFORM);
    const bound = bind(this.#hardware, commands, params);
    const call = { steps: bound, counts, lookup, params, dropped: false };
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
    this.#nothing.free();
  }
}

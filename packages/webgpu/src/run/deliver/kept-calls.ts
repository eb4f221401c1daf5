import { Lately } from "../../base/index.ts";
import { packed } from "../../kernels/index.ts";
import { filledBuffer, Lookups, Nothing, type OwnChunk } from "../../memory/index.ts";
import { own, USAGE } from "../../platform/index.ts";
import type { Compiled, Context } from "../context.ts";
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
  readonly #context: Context;
  readonly #refused: () => void;
  readonly #lookups: Lookups;
  readonly #nothing: Nothing;
  #known = new WeakMap<ChannelsSteps, WeakMap<OwnChunk, KeptCall>>();
  readonly #used = new Lately<KeptCall, KeptCall>(own.KEPT_CALLS, (call) => this.#drop(call));
  #last: KeptCall | null = null;

  /** `refused` is called when the device refuses to create something. */
  constructor(context: Context, refused: () => void = () => {}) {
    const { device } = context.hardware;
    this.#context = context;
    this.#refused = refused;
    this.#lookups = new Lookups(device);
    this.#nothing = new Nothing(device);
  }

  /** Returns the entry of an earlier call if everything in it still exists. */
  find(steps: ChannelsSteps, chunk: OwnChunk, counts: GPUBuffer): KeptCall | null {
    const call = this.#known.get(steps)?.get(chunk);
    if (call === undefined || call.dropped || call.counts !== counts) return null;
    if (call.lookup !== null && this.#lookups.kept(steps.lookup!.key) !== call.lookup) return null;
    return this.#use(call);
  }

  /**
   * Creates the entries of chunks that are missing, in the device's turn. They may be dropped again before they are
   * used. If the device refuses anything, all entries are.
   */
  async prepare(
    steps: ChannelsSteps,
    chunks: readonly OwnChunk[],
    counts: () => Promise<GPUBuffer>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const compiled = await this.#context.compiled(steps);
    const make = async () => {
      try {
        const to = await counts();
        const missing = chunks.filter((chunk) => this.find(steps, chunk, to) === null);
        await this.#context.hardware.checked(() => {
          for (const chunk of missing) this.make(steps, compiled, chunk, to);
        });
      } catch (error) {
        this.free();
        this.#refused();
        throw error;
      }
    };
    await this.#context.turn(make, signal);
  }

  /** Creates an entry. It must run in an error scope, because the device may refuse a buffer. */
  make(steps: ChannelsSteps, compiled: Compiled, chunk: OwnChunk, counts: GPUBuffer): KeptCall {
    const lookup = this.#lookups.of(steps.lookup);
    const commands = placed(dispatchesOf(steps, compiled, chunk), {
      nothing: this.#nothing,
      lookup,
      counts: { buffer: counts, size: countsBytes(steps) },
    });
    const { hardware } = this.#context;
    const params = filledBuffer(hardware.device, packed(commands), USAGE.UNIFORM);
    const bound = bind(hardware, commands, params);
    const call = { steps: bound, counts, lookup, params, dropped: false };
    const known = this.#known.get(steps) ?? new WeakMap<OwnChunk, KeptCall>();
    this.#known.set(steps, known);
    const before = known.get(chunk);
    if (before !== undefined) {
      this.#used.delete(before);
      this.#drop(before);
    }
    known.set(chunk, call);
    return this.#use(call);
  }

  #use(call: KeptCall): KeptCall {
    if (call !== this.#last) this.#used.of(call, () => call);
    this.#last = call;
    return call;
  }

  #drop(call: KeptCall): void {
    call.dropped = true;
    call.params.destroy();
  }

  free(): void {
    this.#used.clear();
    this.#known = new WeakMap();
    this.#last = null;
    this.#lookups.free();
    this.#nothing.free();
  }
}

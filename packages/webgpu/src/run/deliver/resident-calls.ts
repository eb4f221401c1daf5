import type { ChannelsPart, Input, RunOptions } from "@polybin/core/backend";
import { placeBytes, Ring, WebgpuResident } from "../../memory/index.ts";
import { MAP, own } from "../../platform/index.ts";
import type { Context } from "../context.ts";
import { encode } from "../dispatch/commands.ts";
import { type ChannelsSteps, countsBytes } from "../prepare/channels.ts";
import { channelsPart } from "./channels.ts";
import { type KeptCall, KeptCalls } from "./kept-calls.ts";

/**
 * Returns the resident of a call that is a single submission: one chunk, counted by one dispatch without scratch
 * memory. Returns null for other calls and for timed ones.
 */
export function residentOf(
  { lower, histogramsBytes }: ChannelsSteps,
  input: Input,
  { timed = false }: RunOptions,
): WebgpuResident | null {
  if (timed || lower !== null || histogramsBytes > 0) return null;
  if (input.kind !== "resident" || !(input.resident instanceof WebgpuResident)) return null;
  return input.resident.parts.length === 1 ? input.resident : null;
}

/** A call's counts lie `size` bytes after those of the call before it. All of a batch have `bytes` bytes. */
interface Batch {
  readonly steps: ChannelsSteps;
  readonly all: readonly WebgpuResident[];
  readonly size: number;
  readonly bytes: number;
}

/**
 * Calls over residents, any number of them at a time. Each is one submission: a dispatch into its own place in the ring
 * and a copy of it to a readback buffer. The bindings were checked when they were created, so no error scope is needed.
 */
export class ResidentCalls {
  readonly #context: Context;
  readonly #ring: Ring;
  readonly #calls: KeptCalls;

  constructor(context: Context) {
    this.#context = context;
    this.#ring = new Ring(context.hardware.device);
    this.#calls = new KeptCalls(context, () => this.#ring.free());
    context.whenClosed(() => {
      this.#ring.free();
      this.#calls.free();
    });
  }

  /** Counts each resident separately, but several per submission and readback. */
  async count(
    steps: ChannelsSteps,
    all: readonly WebgpuResident[],
    { signal }: RunOptions,
  ): Promise<readonly ChannelsPart[]> {
    const size = placeBytes(countsBytes(steps));
    const most = Math.max(1, Math.min(own.BATCH, Math.floor(own.RING_BYTES / size)));
    const batches: Promise<readonly ChannelsPart[]>[] = [];
    for (let first = 0; first < all.length; first += most) {
      const some = all.slice(first, first + most);
      const bytes = size * (some.length - 1) + countsBytes(steps);
      batches.push(this.#batch({ steps, all: some, size, bytes }, signal));
    }
    return batches.length === 1 ? batches[0]! : (await settled(batches)).flat();
  }

  async #batch(batch: Batch, signal: AbortSignal | undefined): Promise<readonly ChannelsPart[]> {
    const { hardware, readbacks } = this.#context;
    const { steps, all, size, bytes } = batch;
    signal?.throwIfAborted();
    hardware.check();
    const to = readbacks.idle(bytes) ?? (await hardware.checked(() => readbacks.make(bytes)));
    const counts = () => this.#ring.buffer(bytes);
    const submitted = async () => {
      let kept = this.#find(batch);
      // A buffer that was created may be freed again before it is used.
      while (kept === null) {
        const chunks = all.map(({ parts }) => parts[0]!);
        await this.#calls.prepare(steps, chunks, () => hardware.checked(counts), signal);
        signal?.throwIfAborted();
        kept = this.#find(batch);
      }
      this.#submit(kept, to, batch);
      await to.mapAsync(MAP.READ, 0, bytes);
    };
    return readbacks.read(to, bytes, submitted(), (read) => {
      const counts = new Float64Array(new Uint32Array(read));
      return all.map((_, i) => channelsPart(steps, counts, (i * size) / Uint32Array.BYTES_PER_ELEMENT));
    });
  }

  #find({ steps, all, bytes }: Batch): KeptCall[] | null {
    const counts = this.#ring.found(bytes);
    if (counts === null) return null;
    const found: KeptCall[] = [];
    for (const { parts } of all) {
      const call = this.#calls.find(steps, parts[0]!, counts);
      if (call === null) return null;
      found.push(call);
    }
    return found;
  }

  /** Submits calls and the copy of their counts. */
  #submit(kept: readonly KeptCall[], to: GPUBuffer, { size, bytes }: Batch): void {
    const { device } = this.#context.hardware;
    const place = this.#ring.take(bytes);
    try {
      const encoder = device.createCommandEncoder();
      if (place.clear) encoder.clearBuffer(place.buffer);
      const pass = encoder.beginComputePass();
      let pipeline: GPUComputePipeline | null = null;
      for (const [i, { steps }] of kept.entries()) {
        pipeline = encode(pass, steps, place.offset + i * size, pipeline);
      }
      pass.end();
      encoder.copyBufferToBuffer(place.buffer, place.offset, to, 0, bytes);
      device.queue.submit([encoder.finish()]);
    } catch (error) {
      this.#ring.spoil();
      throw error;
    }
  }
}

/**
 * Returns all results. If one promise rejects, it still waits for all others. @throws the reason of the first that
 * rejects
 */
export async function settled<T>(all: readonly Promise<T>[]): Promise<T[]> {
  return (await Promise.allSettled(all)).map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}

import type { ChannelsPart, Input, RunOptions } from "@polybin/core/backend";
import { placeBytes, Readbacks, Ring, WebgpuResident } from "../memory/index.ts";
import { type Hardware, MAP, own } from "../platform/index.ts";
import { encode } from "./encode.ts";
import { countsBytes, type KeptCall, KeptCalls } from "./kept-calls.ts";
import type { Lane } from "./lane.ts";
import { type CountSteps, countsOf } from "./prepare-count.ts";
import type { Program } from "./program.ts";

/** The parts of a prepared job that these calls need. */
export interface ResidentJob {
  readonly steps: CountSteps;
  readonly compiling: () => Promise<Program>;
}

/**
 * Returns the resident of a call that is a single submission: one chunk, counted by one dispatch without scratch
 * memory. Returns null for other calls and for timed ones.
 */
export function residentOf(
  { lower, histogramsBytes }: CountSteps,
  input: Input,
  { timed = false }: RunOptions,
): WebgpuResident | null {
  if (timed || lower !== null || histogramsBytes > 0) return null;
  if (input.kind !== "resident" || !(input.resident instanceof WebgpuResident)) return null;
  return input.resident.chunks.length === 1 ? input.resident : null;
}

/**
 * Calls over residents, any number of them at a time. Each is one submission: a dispatch into its own place in the ring
 * and a copy of it to a readback buffer. The bindings were checked when they were created, so no error scope is needed.
 */
export class ResidentCalls {
  readonly #hardware: Hardware;
  readonly #lane: Lane;
  readonly #ring: Ring;
  readonly #readbacks: Readbacks;
  readonly #calls: KeptCalls;

  constructor(hardware: Hardware, lane: Lane) {
    this.#hardware = hardware;
    this.#lane = lane;
    this.#ring = new Ring(hardware.device);
    this.#readbacks = new Readbacks(hardware.device);
    this.#calls = new KeptCalls(hardware);
  }

  async count(job: ResidentJob, of: WebgpuResident, { signal }: RunOptions): Promise<ChannelsPart> {
    const [partial] = await this.#batch(job, [of], signal);
    return partial!;
  }

  /** Counts each resident separately, but several per submission and readback. */
  async countAll(
    job: ResidentJob,
    all: readonly WebgpuResident[],
    { signal }: RunOptions,
  ): Promise<readonly ChannelsPart[]> {
    const size = placeBytes(countsBytes(job.steps));
    const most = Math.max(1, Math.min(own.BATCH, Math.floor(own.RING_BYTES / size)));
    const batches: Promise<readonly ChannelsPart[]>[] = [];
    for (let first = 0; first < all.length; first += most) {
      batches.push(this.#batch(job, all.slice(first, first + most), signal));
    }
    return (await settled(batches)).flat();
  }

  async #batch(
    job: ResidentJob,
    all: readonly WebgpuResident[],
    signal: AbortSignal | undefined,
  ): Promise<readonly ChannelsPart[]> {
    signal?.throwIfAborted();
    const { steps } = job;
    const size = placeBytes(countsBytes(steps));
    const bytes = size * (all.length - 1) + countsBytes(steps);
    this.#hardware.check();
    const readback =
      this.#readbacks.idle(bytes) ?? (await this.#hardware.checked(() => this.#readbacks.make(bytes)));
    try {
      let kept = this.#find(steps, all, bytes);
      // A buffer that was created may be freed again before it is used.
      while (kept === null) {
        const program = await job.compiling();
        await this.#lane.run(() => this.#make(steps, program, all, bytes), signal);
        signal?.throwIfAborted();
        kept = this.#find(steps, all, bytes);
      }
      const counts = await this.#run(kept, readback, size, bytes);
      this.#readbacks.give(readback);
      return all.map((_, i) => partialOf(steps, counts, (i * size) / Uint32Array.BYTES_PER_ELEMENT));
    } catch (error) {
      readback.destroy();
      throw error;
    }
  }

  #find(steps: CountSteps, all: readonly WebgpuResident[], bytes: number): KeptCall[] | null {
    const counts = this.#ring.found(bytes);
    if (counts === null) return null;
    const found: KeptCall[] = [];
    for (const { chunks } of all) {
      const call = this.#calls.find(steps, chunks[0]!, counts);
      if (call === null) return null;
      found.push(call);
    }
    return found;
  }

  /** Creates what is missing. If the device refuses anything, all of it is freed. */
  async #make(
    steps: CountSteps,
    program: Program,
    all: readonly WebgpuResident[],
    bytes: number,
  ): Promise<void> {
    try {
      await this.#hardware.checked(() => {
        const counts = this.#ring.buffer(bytes);
        for (const { chunks } of all) {
          const chunk = chunks[0]!;
          if (this.#calls.find(steps, chunk, counts) === null) {
            this.#calls.make(steps, program, chunk, counts);
          }
        }
      });
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** Submits calls and waits for their counts, which are `size` bytes apart. */
  async #run(
    kept: readonly KeptCall[],
    readback: GPUBuffer,
    size: number,
    bytes: number,
  ): Promise<Float64Array> {
    const { device } = this.#hardware;
    const place = this.#ring.take(bytes);
    try {
      const encoder = device.createCommandEncoder();
      if (place.clear) encoder.clearBuffer(place.buffer);
      const pass = encoder.beginComputePass();
      let to = place.offset;
      let pipeline: GPUComputePipeline | null = null;
      for (const { steps } of kept) {
        pipeline = encode(pass, steps, to, pipeline);
        to += size;
      }
      pass.end();
      encoder.copyBufferToBuffer(place.buffer, place.offset, readback, 0, bytes);
      device.queue.submit([encoder.finish()]);
    } catch (error) {
      this.#ring.spoil();
      throw error;
    }
    await this.#hardware.watched(readback.mapAsync(MAP.READ, 0, bytes));
    const counts = new Float64Array(new Uint32Array(readback.getMappedRange(0, bytes)));
    readback.unmap();
    return counts;
  }

  free(): void {
    this.#ring.free();
    this.#readbacks.free();
    this.#calls.free();
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

/** Returns the counts of each channel, from a call's first count on. */
export function partialOf({ channels, plan }: CountSteps, counts: Float64Array, first: number): ChannelsPart {
  const size = countsOf(plan);
  return {
    channels: channels.map((_, i) => {
      const at = first + i * size;
      return {
        cells: counts.subarray(at, at + plan.cells),
        flow: counts.subarray(at + plan.cells, at + size),
      };
    }),
    timings: { readMs: 0, uploadMs: 0, kernelMs: 0 },
  };
}

import { PolybinError } from "@polybin/core";
import {
  type Accumulator,
  type ChannelsPart,
  type Input,
  limits,
  type RunOptions,
} from "@polybin/core/backend";
import { padded, Readbacks, type ReadyChunk, type WebgpuResident } from "../memory/index.ts";
import { type Hardware, MAP, own, USAGE } from "../platform/index.ts";
import { bindChunk } from "./chain.ts";
import type { Context } from "./context.ts";
import { count } from "./count.ts";
import { encode, type Step } from "./encode.ts";
import { countsBytes, KeptCalls } from "./kept-calls.ts";
import { partialOf, type ResidentJob, residentOf } from "./resident-calls.ts";

/** Runs a call in the device's lane, for an input of a kind. */
export type InLane = <T>(input: Input["kind"], options: RunOptions, call: () => Promise<T>) => Promise<T>;

/** Totals on the host, and readbacks that are still in flight. */
interface Home {
  readonly totals: Float64Array;
  readonly underWay: Promise<unknown>[];
}

/**
 * Counts that accumulate in a device buffer. An input of one chunk is one submission, so it is added as a whole or not
 * at all. An input of several chunks is counted separately and added on the host when all of it is counted. Before a
 * count could pass 2^32, the host reads all counts and the buffer starts at zero again.
 */
export class DeviceAccumulator implements Accumulator {
  readonly #context: Context;
  readonly #hardware: Hardware;
  readonly #job: ResidentJob;
  readonly #inLane: InLane;
  readonly #bytes: number;
  readonly #most: number;
  readonly #readbacks: Readbacks;
  readonly #calls: KeptCalls;
  #counts: GPUBuffer | null = null;
  /** Pixels whose counts are in the buffer. */
  #pixels = 0;
  #home: Home;
  /** Inputs since the host last waited for the device. */
  #ahead = 0;
  #reached: Promise<void> | null = null;
  #freed = false;

  /** `most` is the number of pixels whose counts fit into the buffer's words. */
  constructor(context: Context, job: ResidentJob, inLane: InLane, most: number = limits.U32_MAX) {
    const { hardware } = context;
    this.#context = context;
    this.#hardware = hardware;
    this.#job = job;
    this.#inLane = inLane;
    this.#bytes = countsBytes(job.steps);
    this.#most = most;
    this.#readbacks = new Readbacks(hardware.device);
    this.#calls = new KeptCalls(hardware);
    this.#home = this.#emptyHome();
  }

  async add(input: Input, options: RunOptions): Promise<void> {
    options.signal?.throwIfAborted();
    this.#check();
    const resident = residentOf(this.#job.steps, input, options);
    if (resident === null) await this.#inLane(input.kind, options, () => this.#addInLane(input, options));
    else await this.#addResident(resident, options);
    await this.#keepPace();
  }

  async #addResident(resident: WebgpuResident, options: RunOptions): Promise<void> {
    const { steps, compiling } = this.#job;
    for (;;) {
      // A buffer that was created or read may be freed again before it is used.
      this.#check();
      const chunk = resident.chunks[0]!;
      const call = this.#counts === null ? null : this.#calls.find(steps, chunk, this.#counts);
      if (call === null) {
        const program = await compiling();
        await this.#inLane("resident", options, async () => {
          const counts = await this.#ready();
          await this.#hardware.checked(() => this.#calls.make(steps, program, chunk, counts));
        }).catch((error: unknown) => {
          this.#calls.free();
          throw error;
        });
      } else if (this.#isFull(chunk.pixels)) {
        await this.#spill();
      } else {
        this.#submit(call.steps, chunk.pixels);
        return;
      }
      options.signal?.throwIfAborted();
    }
  }

  /** Runs in the device's lane, because calls share the buffer for samples. */
  async #addInLane(input: Input, options: RunOptions): Promise<void> {
    const { steps, compiling } = this.#job;
    const chunks = this.#context.source.chunks(input, options.signal);
    const { value: first } = (await chunks.next()) as IteratorYieldResult<ReadyChunk>;
    if (!first.last) {
      const all = followedBy(first, chunks);
      this.#addHome(await count(this.#context, steps, compiling(), all, options));
      return;
    }
    const program = await compiling();
    const counts = await this.#ready();
    while (this.#isFull(first.pixels)) await this.#spill();
    options.signal?.throwIfAborted();
    await this.#hardware.checked(() => {
      this.#submit(bindChunk(this.#context, steps, program, first, counts), first.pixels);
    });
  }

  #addHome({ channels }: ChannelsPart): void {
    let at = 0;
    for (const { cells, flow } of channels) {
      for (const counted of [cells, flow]) for (const amount of counted) this.#home.totals[at++]! += amount;
    }
  }

  #isFull(pixels: number): boolean {
    return this.#pixels > 0 && this.#pixels + pixels > this.#most;
  }

  #submit(steps: readonly Step[], pixels: number): void {
    const { device } = this.#hardware;
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    encode(pass, steps);
    pass.end();
    device.queue.submit([encoder.finish()]);
    this.#pixels += pixels;
  }

  /** Waits from time to time, so that the device does not fall far behind. */
  async #keepPace(): Promise<void> {
    this.#ahead++;
    if (this.#ahead < own.ADDS_AHEAD) return;
    this.#ahead = 0;
    const before = this.#reached;
    this.#reached = this.#hardware.watched(this.#hardware.device.queue.onSubmittedWorkDone()).then(() => {});
    this.#reached.catch(() => {});
    await before;
  }

  /** Returns the buffer, which starts with zeros. */
  async #ready(): Promise<GPUBuffer> {
    const { STORAGE, COPY_SRC, COPY_DST } = USAGE;
    this.#counts ??= await this.#hardware.checked(() =>
      this.#hardware.device.createBuffer({
        size: padded(this.#bytes),
        usage: STORAGE | COPY_SRC | COPY_DST,
      }),
    );
    return this.#counts;
  }

  async #spill(): Promise<void> {
    await this.#bringHome(() => this.#home);
  }

  /**
   * Reads the buffer, which starts at zero again. `begin` returns the totals to add to; it runs at the moment of
   * submission.
   */
  async #bringHome(begin: () => Home): Promise<Home> {
    const { device } = this.#hardware;
    const readback =
      this.#readbacks.idle(this.#bytes) ??
      (await this.#hardware.checked(() => this.#readbacks.make(this.#bytes)));
    this.#check();
    this.#hardware.check();
    const home = begin();
    if (this.#counts === null || this.#pixels === 0) {
      this.#readbacks.give(readback);
      return home;
    }
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.#counts, 0, readback, 0, this.#bytes);
    encoder.clearBuffer(this.#counts);
    device.queue.submit([encoder.finish()]);
    this.#pixels = 0;
    const arrived = this.#hardware.watched(readback.mapAsync(MAP.READ, 0, this.#bytes)).then(() => {
      const counts = new Uint32Array(readback.getMappedRange(0, this.#bytes));
      for (let i = 0; i < counts.length; i++) home.totals[i]! += counts[i]!;
      readback.unmap();
      if (this.#freed) readback.destroy();
      else this.#readbacks.give(readback);
    });
    home.underWay.push(arrived);
    await arrived;
    return home;
  }

  async take({ signal }: RunOptions): Promise<ChannelsPart> {
    signal?.throwIfAborted();
    this.#check();
    const home = await this.#bringHome(() => {
      const taken = this.#home;
      this.#home = this.#emptyHome();
      return taken;
    });
    await Promise.all(home.underWay);
    return partialOf(this.#job.steps, home.totals, 0);
  }

  async free(): Promise<void> {
    this.#freed = true;
    this.#counts?.destroy();
    this.#counts = null;
    this.#readbacks.free();
    this.#calls.free();
  }

  #emptyHome(): Home {
    return { totals: new Float64Array(this.#bytes / limits.WORD_BYTES), underWay: [] };
  }

  #check(): void {
    if (!this.#freed) return;
    throw new PolybinError("ERR_INPUT", "expected accumulated counts but they were freed", {
      backend: "webgpu",
    });
  }
}

async function* followedBy(first: ReadyChunk, rest: AsyncGenerator<ReadyChunk>): AsyncGenerator<ReadyChunk> {
  yield first;
  yield* rest;
}

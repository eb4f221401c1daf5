import {
  type Accumulator,
  type ChannelsPart,
  type Input,
  limits,
  type RunOptions,
} from "@polybin/core/backend";
import { wrong } from "../../base/index.ts";
import { chunksOf, padded, type ReadyChunk, type WebgpuResident } from "../../memory/index.ts";
import { own, USAGE } from "../../platform/index.ts";
import type { Context } from "../context.ts";
import { chunkCommands } from "../dispatch/channels.ts";
import { encode, recordPass } from "../dispatch/commands.ts";
import { type ChannelsSteps, countsBytes } from "../prepare/channels.ts";
import { channelsPart, countChannels } from "./channels.ts";
import { deliver, submitted } from "./deliver.ts";
import { KeptCalls } from "./kept-calls.ts";
import { residentOf } from "./resident-calls.ts";

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
  readonly #steps: ChannelsSteps;
  readonly #bytes: number;
  readonly #most: number;
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
  constructor(context: Context, steps: ChannelsSteps, most: number = limits.U32_MAX) {
    this.#context = context;
    this.#steps = steps;
    this.#bytes = countsBytes(steps);
    this.#most = most;
    this.#calls = new KeptCalls(context);
    this.#home = this.#emptyHome();
  }

  async add(input: Input, options: RunOptions): Promise<void> {
    options.signal?.throwIfAborted();
    this.#check();
    const resident = residentOf(this.#steps, input, options);
    if (resident === null) {
      await this.#context.run(input.kind, options, () => this.#addInTurn(input, options));
    } else await this.#addResident(resident, options);
    await this.#keepPace();
  }

  async #addResident(resident: WebgpuResident, options: RunOptions): Promise<void> {
    const { device } = this.#context.hardware;
    for (;;) {
      // A buffer that was created or read may be freed again before it is used.
      this.#check();
      const chunk = resident.parts[0]!;
      const call = this.#counts && this.#calls.find(this.#steps, chunk, this.#counts);
      if (call === null) {
        await this.#calls.prepare(this.#steps, [chunk], () => this.#ready(), options.signal);
      } else if (this.#isFull(chunk.pixels)) {
        await this.#bringHome();
      } else {
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        encode(pass, call.steps);
        pass.end();
        device.queue.submit([encoder.finish()]);
        this.#pixels += chunk.pixels;
        return;
      }
      options.signal?.throwIfAborted();
    }
  }

  /** Adds an input in its turn, because calls share the buffer for samples. */
  async #addInTurn(input: Input, options: RunOptions): Promise<void> {
    const chunks = chunksOf(this.#context, input, options);
    const { value: first } = (await chunks.next()) as IteratorYieldResult<ReadyChunk>;
    if (!first.last) {
      const all = followedBy(first, chunks);
      this.#addHome(await countChannels(this.#context, this.#steps, all, options));
      return;
    }
    const compiled = await this.#context.compiled(this.#steps);
    const counts = await this.#ready();
    while (this.#isFull(first.pixels)) await this.#bringHome();
    options.signal?.throwIfAborted();
    await submitted(this.#context, (encoder) => {
      const commands = chunkCommands(this.#context, this.#steps, compiled, first, counts);
      recordPass(this.#context, encoder, commands);
      this.#pixels += first.pixels;
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

  /** Waits from time to time, so that the device does not fall far behind. */
  async #keepPace(): Promise<void> {
    this.#ahead++;
    if (this.#ahead < own.ADDS_AHEAD) return;
    this.#ahead = 0;
    const { hardware } = this.#context;
    const before = this.#reached;
    this.#reached = hardware.watched(hardware.device.queue.onSubmittedWorkDone()).then(() => {});
    this.#reached.catch(() => {});
    await before;
  }

  /** Returns the buffer, which starts with zeros. */
  async #ready(): Promise<GPUBuffer> {
    this.#check();
    const size = padded(this.#bytes);
    const usage = USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST;
    const { hardware } = this.#context;
    this.#counts ??= await hardware.checked(() => hardware.device.createBuffer({ size, usage }));
    return this.#counts;
  }

  /** Adds the counts in the buffer to the totals on the host. The buffer starts at zero again. */
  async #bringHome(): Promise<void> {
    const buffer = this.#counts;
    if (buffer === null || this.#pixels === 0) return;
    const { totals, underWay } = this.#home;
    this.#pixels = 0;
    const left = { buffer, bytes: this.#bytes, clears: true };
    const arrived = deliver(this.#context, null, left, (counts) => {
      for (let i = 0; i < counts.length; i++) totals[i]! += counts[i]!;
    });
    underWay.push(arrived);
    await arrived;
  }

  async take({ signal }: RunOptions): Promise<ChannelsPart> {
    signal?.throwIfAborted();
    this.#check();
    const { totals, underWay } = this.#home;
    // The counts are on their way to the totals when this returns, so the next inputs belong to other totals.
    this.#bringHome().catch(() => {});
    this.#home = this.#emptyHome();
    await Promise.all(underWay);
    return channelsPart(this.#steps, totals);
  }

  async free(): Promise<void> {
    this.#freed = true;
    this.#counts?.destroy();
    this.#counts = null;
    this.#calls.free();
  }

  #emptyHome(): Home {
    return { totals: new Float64Array(this.#bytes / limits.WORD_BYTES), underWay: [] };
  }

  #check(): void {
    if (this.#freed) throw wrong("expected accumulated counts but they were freed");
  }
}

async function* followedBy(first: ReadyChunk, rest: AsyncGenerator<ReadyChunk>): AsyncGenerator<ReadyChunk> {
  yield first;
  yield* rest;
}

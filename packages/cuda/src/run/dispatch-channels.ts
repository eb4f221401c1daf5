import {
  type Accumulator,
  type ChannelsPart,
  type CountJob,
  type Input,
  limits,
  type Prepared,
  type RunOptions,
} from "@polybin/core/backend";
import type { NativeCounts, NativePrepared, NativeReady, NativeTotal } from "../border/index.ts";
import { addTo, sharesOf, withShares } from "../memory/index.ts";
import { coded, failure } from "../platform/index.ts";
import { added, longest } from "./deliver.ts";
import type { Lanes } from "./lanes.ts";
import { type ChannelsLaunch, type PreparedChannels, prepareChannels } from "./prepare-channels.ts";
import { type Ready, readyOf } from "./ready.ts";

const UNTIMED: ChannelsPart["timings"] = Object.freeze({ readMs: 0, uploadMs: 0, kernelMs: 0 });

/**
 * A prepared count on some devices. Inputs that can be counted at once are launched directly; others go piece by piece.
 */
export class CudaCounter implements Prepared {
  readonly #lanes: Lanes;
  readonly #prepared: PreparedChannels;
  /** Counts of a channel including its flow, and of all channels. */
  readonly #cells: number;
  readonly #size: number;
  /** For one device only: with several, a failure of one would leave the counts incomplete. */
  readonly accumulator?: () => Accumulator;
  /** One per device. They are created when there is something to count. */
  #handles: readonly NativePrepared[] | undefined;

  constructor(lanes: Lanes, job: CountJob) {
    this.#lanes = lanes;
    this.#prepared = prepareChannels(job, lanes.count);
    this.#cells = job.plan.cells;
    if (lanes.count === 1) this.accumulator = () => this.#accumulator();
    this.#size = (job.plan.cells + limits.FLOW_ROWS) * job.channels.length;
  }

  get launch(): ChannelsLaunch {
    return this.#prepared.launch;
  }

  async count(input: Input, options: RunOptions): Promise<ChannelsPart> {
    const { signal } = options;
    const ready = this.#readyOf(input, options);
    if (ready === null) return this.#pieceByPiece(input, options);
    signal?.throwIfAborted();
    const counts = await this.#native((handles) => {
      const launch = ({ device, of, pixels }: Ready) => {
        const lane = this.#lanes.of(device);
        return lane.soon(lane.context.launch(handles[device]!, of, pixels));
      };
      return ready.length === 1
        ? launch(ready[0]!)
        : Promise.all(ready.map(launch)).then((all) => added(all, this.#size));
    });
    signal?.throwIfAborted();
    return this.#partOf(counts);
  }

  countSync(input: Input, options: RunOptions): ChannelsPart {
    options.signal?.throwIfAborted();
    if (input.kind === "file") {
      throw failure("ERR_UNSUPPORTED", "cuda cannot read files synchronously: await count instead");
    }
    try {
      const ready = this.#readyOf(input, options);
      if (ready === null) return this.#sharesNow(input, options);
      const counts = new Float64Array(this.#size);
      for (const [i, { device, of, pixels }] of ready.entries()) {
        const into = i === 0 ? counts : new Float64Array(this.#size);
        this.#lanes.of(device).context.countNow(this.#handle(device), of, pixels, into);
        if (i > 0) addTo(counts, into);
      }
      return this.#partOf(counts);
    } catch (error) {
      throw coded(error);
    }
  }

  /** Counts on one device after another, because this is a single thread. */
  #sharesNow(input: Exclude<Input, { readonly kind: "file" }>, options: RunOptions): ChannelsPart {
    const timed = this.#lanes.isTimed(options);
    const all = sharesOf(input, this.#lanes.count).shares.map(({ device, source }) => {
      const counts = new Float64Array(this.#size);
      const times = this.#lanes
        .of(device)
        .context.countSource(this.#handle(device), { source, timed }, counts);
      return { counts, ...times };
    });
    return this.#sumOf(all);
  }

  async countAll(inputs: readonly Input[], options: RunOptions): Promise<readonly ChannelsPart[]> {
    const { signal } = options;
    const all = inputs.map((input) => this.#readyOf(input, options));
    if (all.includes(null)) return Promise.all(inputs.map((input) => this.count(input, options)));
    signal?.throwIfAborted();
    const size = this.#size;
    const counts: (Float64Array | undefined)[] = inputs.map(() => undefined);
    await this.#native((handles) =>
      Promise.all(
        this.#lanes.map(async (lane, device) => {
          // This loop handles hundreds of inputs in the time of a few launches.
          const whose: number[] = [];
          const parts: NativeReady[] = [];
          const pixels: number[] = [];
          for (let i = 0; i < all.length; i++) {
            for (const part of all[i]!) {
              if (part.device !== device) continue;
              whose.push(i);
              parts.push(part.of);
              pixels.push(part.pixels);
            }
          }
          if (parts.length === 0) return;
          const found = await lane.soon(lane.context.launch(handles[device]!, parts, pixels));
          whose.forEach((i, at) => {
            const of = found.subarray(at * size, (at + 1) * size);
            const before = counts[i];
            if (before === undefined) counts[i] = of;
            else addTo(before, of);
          });
        }),
      ),
    );
    signal?.throwIfAborted();
    return counts.map((of) => this.#partOf(of ?? new Float64Array(size)));
  }

  #accumulator(): Accumulator {
    const lane = this.#lanes.of(0);
    const { context } = lane;
    const prepared = this.#handle(0);
    const total = context.total(prepared);
    let freed = false;
    return {
      add: (input, options) => this.#add(input, options, total),
      take: async () => this.#partOf(await this.#native(() => lane.soon(context.take(total, prepared)))),
      free: async () => {
        if (freed) return;
        freed = true;
        await this.#native(() => context.freeTotal(total));
      },
    };
  }

  /** Launched counts are added, even if the signal aborts afterwards. */
  async #add(input: Input, options: RunOptions, total: NativeTotal): Promise<void> {
    const ready = this.#readyOf(input, options);
    options.signal?.throwIfAborted();
    if (ready !== null) {
      const lane = this.#lanes.of(0);
      await this.#native(([prepared]) =>
        Promise.all(
          ready.map(({ of, pixels }) => lane.soon(lane.context.launch(prepared!, of, pixels, total))),
        ),
      );
      return;
    }
    let isAdded = false;
    try {
      await withShares(input, 1, (shares) =>
        this.#lanes.each(shares, options, async (context, { source }, control) => {
          await context.count({ source, control, timed: false }, this.#handle(0), total);
          isAdded = true;
        }),
      );
    } catch (error) {
      // Memory that was transferred in the meantime was kept until it was counted.
      if (!isAdded) throw error;
    }
  }

  #readyOf(input: Input, options: RunOptions): readonly Ready[] | null {
    return this.#lanes.isTimed(options) ? null : readyOf(input, this.#prepared);
  }

  async #pieceByPiece(input: Input, options: RunOptions): Promise<ChannelsPart> {
    const timed = this.#lanes.isTimed(options);
    const all = await withShares(input, this.#lanes.count, (shares) =>
      this.#lanes.each(shares, options, (context, { device, source }, control) =>
        this.#lanes.of(device).soon(context.count({ source, control, timed }, this.#handle(device))),
      ),
    );
    return this.#sumOf(all);
  }

  #handle(device: number): NativePrepared {
    this.#handles ??= this.#lanes.map(({ context }) => context.prepare(this.#prepared.shape));
    return this.#handles[device]!;
  }

  async #native<T>(call: (handles: readonly NativePrepared[]) => Promise<T>): Promise<T> {
    try {
      this.#handle(0);
      return await call(this.#handles!);
    } catch (error) {
      throw coded(error);
    }
  }

  /** Adds the counts of several devices up. */
  #sumOf(all: readonly NativeCounts[]): ChannelsPart {
    const counts = added(
      all.map((part) => part.counts),
      this.#size,
    );
    return { ...this.#partOf(counts), timings: longest(all) };
  }

  #partOf(counts: Float64Array): ChannelsPart {
    const cells = this.#cells;
    const size = cells + limits.FLOW_ROWS;
    const { channels } = this.#prepared.shape.wanted;
    return {
      channels: channels.map((_, i) => ({
        cells: counts.subarray(i * size, i * size + cells),
        flow: counts.subarray(i * size + cells, (i + 1) * size),
      })),
      timings: UNTIMED,
    };
  }
}

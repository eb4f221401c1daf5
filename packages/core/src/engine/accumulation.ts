import type { Accumulator, RunOptions } from "../backend/index.ts";
import { expected, MAX_SAMPLES } from "../base/index.ts";
import type { Source } from "../input/index.ts";
import { addCounts, type Counts, type DeviceTimings, noCounts } from "../result/index.ts";
import { type Found, find, foundBeforehand, foundOn, isSmall } from "./count.ts";
import type { Host } from "./host.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { KEPT_JOBS } from "./limits.ts";
import type { Job } from "./prepare.ts";

/** Counts of a job that are on the device. */
interface Held {
  readonly job: Job;
  readonly accumulator: Accumulator;
  /** Samples of a channel that were added since they were taken. */
  pixels: number;
}

/** All that was taken, and the job of the last input. */
export interface Taken {
  readonly found: Found;
  readonly job: Job | null;
  /** How long it took to add them; 0 where nobody asked. */
  readonly ms: number;
}

/**
 * Counts that are added up until they are taken. Those of a device that can keep them stay there, in an accumulator for each
 * job, since inputs of other sizes have other plans; the others are added up here.
 *
 * Adding goes on side by side. A `take` waits for what was added before it, and what comes after it waits for the `take`.
 */
export class Accumulation {
  readonly #host: Host;
  readonly #lifecycle: Lifecycle;
  readonly #channels: number;
  readonly #bins: number;
  /** The last jobs' accumulators. */
  #held: Held[] = [];
  #home: Counts[];
  #timings: { -readonly [name in keyof DeviceTimings]: number } = noTimings();
  #ms = 0;
  /** Samples of a channel that were added, or are about to be. */
  #pixels = 0;
  #last: Job | null = null;
  readonly #adding = new Set<Promise<void>>();
  /** The `take` that runs, or was the last one. */
  #taking: Promise<unknown> = Promise.resolve();
  #isTaking = false;
  #freed = false;

  constructor(host: Host, lifecycle: Lifecycle, channels: number, bins: number) {
    this.#host = host;
    this.#lifecycle = lifecycle;
    this.#channels = channels;
    this.#bins = bins;
    this.#home = this.#noCounts();
  }

  get freed(): boolean {
    return this.#freed;
  }

  /** Adds all of an input, or nothing. @throws ERR_LIMIT where counts would not be exact any more */
  async add(job: Job, source: Source, options: RunOptions): Promise<void> {
    while (this.#isTaking) await this.#taking;
    const { pixels } = source;
    if (this.#pixels + pixels > MAX_SAMPLES) {
      throw expected(
        "ERR_LIMIT",
        "samples",
        `at most ${MAX_SAMPLES} until they are taken`,
        this.#pixels + pixels,
      );
    }
    this.#pixels += pixels;
    const since = options.timed ? performance.now() : 0;
    const adding = this.#add(job, source, options);
    const settled = adding.catch(() => {});
    this.#adding.add(settled);
    try {
      await adding;
      this.#last = job;
      if (options.timed) this.#ms += performance.now() - since;
    } catch (error) {
      this.#pixels -= pixels;
      throw error;
    } finally {
      this.#adding.delete(settled);
    }
  }

  async #add(job: Job, source: Source, options: RunOptions): Promise<void> {
    const found = foundBeforehand(job, source.pixels);
    if (found !== null) {
      this.#addHome(found);
      return;
    }
    const held = this.#heldOf(job);
    const work = async () => {
      if (held === null) {
        this.#addHome(await find(this.#host, job, source, options));
        return;
      }
      await held.accumulator.add(source.input, options);
      held.pixels += source.pixels;
    };
    if (held === null && isSmall(this.#host.device, source)) await work();
    else await this.#lifecycle.ownTurn(work, options.signal);
  }

  /** The job's accumulator; null where the device has none, or those of other jobs are enough. */
  #heldOf(job: Job): Held | null {
    const known = this.#held.find((held) => held.job === job);
    if (known !== undefined) return known;
    if (this.#held.length === KEPT_JOBS) return null;
    const accumulator = job.prepared().accumulator?.();
    if (accumulator === undefined) return null;
    if (this.#held.length === 0) this.#lifecycle.keep(this);
    const held = { job, accumulator, pixels: 0 };
    this.#held.push(held);
    return held;
  }

  /**
   * All that was added, and nothing is left. Where it rejects, all is still there, unless the device miscounted: then
   * nobody knows what is, and all is thrown away.
   */
  async take(options: RunOptions): Promise<Taken> {
    const before = this.#taking;
    const taking = this.#take(before, options);
    this.#isTaking = true;
    const settled = taking.then(
      () => {},
      () => {},
    );
    this.#taking = settled;
    try {
      return await taking;
    } finally {
      if (this.#taking === settled) this.#isTaking = false;
    }
  }

  async #take(before: Promise<unknown>, options: RunOptions): Promise<Taken> {
    await before;
    await Promise.all(this.#adding);
    for (const held of this.#held) {
      if (held.pixels > 0) await this.#lifecycle.turn(() => this.#bringHome(held, options), options.signal);
    }
    options.signal?.throwIfAborted();
    const taken = { found: { counts: this.#home, timings: this.#timings }, job: this.#last, ms: this.#ms };
    this.#begin();
    if (this.#held.length === KEPT_JOBS) await this.#letGo();
    return taken;
  }

  async #bringHome(held: Held, options: RunOptions): Promise<void> {
    const part = await held.accumulator.take(options);
    const { pixels } = held;
    held.pixels = 0;
    try {
      this.#addHome(foundOn(this.#host, held.job, part, pixels));
    } catch (error) {
      this.#begin();
      await this.#letGo();
      throw error;
    }
  }

  #addHome({ counts, timings }: Found): void {
    for (const [i, of] of this.#home.entries()) addCounts(of, counts[i]!);
    for (const name of ["readMs", "uploadMs", "kernelMs"] as const) this.#timings[name] += timings[name];
  }

  #begin(): void {
    this.#home = this.#noCounts();
    this.#timings = noTimings();
    this.#ms = 0;
    this.#pixels = 0;
    this.#last = null;
  }

  #noCounts(): Counts[] {
    return Array.from({ length: this.#channels }, () => noCounts(this.#bins));
  }

  async #letGo(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    await Promise.all(held.map(({ accumulator }) => accumulator.free()));
  }

  /** Lets go of what is on the device, once nothing runs. Again is harmless. */
  async free(): Promise<void> {
    this.#freed = true;
    await this.#taking;
    await Promise.all(this.#adding);
    await this.#letGo();
  }
}

function noTimings(): { readMs: number; uploadMs: number; kernelMs: number } {
  return { readMs: 0, uploadMs: 0, kernelMs: 0 };
}

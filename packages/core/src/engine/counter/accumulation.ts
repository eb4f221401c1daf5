import type { Accumulator, RunOptions } from "../../backend/index.ts";
import { expected, MAX_SAMPLES } from "../../base/index.ts";
import type { Source } from "../../input/index.ts";
import { addCounts, type Counts, type DeviceTimings, noCounts } from "../../result/index.ts";
import { type ChannelsCounts, find, foundBeforehand, foundOn, isSmall } from "../channels/count.ts";
import type { Job } from "../jobs/prepare.ts";
import { KEPT_JOBS } from "../limits.ts";
import type { Lifecycle } from "../opened/lifecycle.ts";
import type { OpenBackend } from "../opened/open-backend.ts";

/** Counts of a job that are on the device. */
interface Held {
  readonly job: Job;
  readonly accumulator: Accumulator;
  /** Samples per channel that were added since the last `take`. */
  pixels: number;
}

/** The accumulated counts, and the job of the last input. */
export interface Taken {
  readonly found: ChannelsCounts;
  readonly job: Job | null;
  /** Milliseconds spent adding; 0 if no timings were requested. */
  readonly ms: number;
}

/**
 * Adds up counts until they are taken. A device that can keep counts has one accumulator per job, because inputs of
 * different sizes have different plans. Other counts are added up on the host.
 *
 * Additions run concurrently. A `take` waits for the calls made before it, and later calls wait for the `take`.
 */
export class Accumulation {
  readonly #opened: OpenBackend;
  readonly #lifecycle: Lifecycle;
  readonly #channels: number;
  readonly #bins: number;
  /** Accumulators of the last jobs. */
  #held: Held[] = [];
  #onHost: Counts[];
  #timings: { -readonly [name in keyof DeviceTimings]: number } = noTimings();
  #ms = 0;
  /** Samples per channel that were added or are being added. */
  #pixels = 0;
  #last: Job | null = null;
  readonly #adding = new Set<Promise<void>>();
  /** The last `take`, while it runs. */
  #taking: Promise<void> | null = null;
  #freed = false;

  constructor(opened: OpenBackend, lifecycle: Lifecycle, channels: number, bins: number) {
    this.#opened = opened;
    this.#lifecycle = lifecycle;
    this.#channels = channels;
    this.#bins = bins;
    this.#onHost = this.#noCounts();
  }

  get freed(): boolean {
    return this.#freed;
  }

  /** Adds a whole input, or nothing if it rejects. @throws ERR_LIMIT if counts would no longer be exact */
  async add(job: Job, source: Source, options: RunOptions): Promise<void> {
    const adding = this.#addAfter(this.#taking, job, source, options);
    const settled = adding.catch(() => {});
    this.#adding.add(settled);
    try {
      await adding;
    } finally {
      this.#adding.delete(settled);
    }
  }

  async #addAfter(
    taking: Promise<void> | null,
    job: Job,
    source: Source,
    options: RunOptions,
  ): Promise<void> {
    if (taking !== null) await taking;
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
    try {
      await this.#add(job, source, options);
      this.#last = job;
      if (options.timed) this.#ms += performance.now() - since;
    } catch (error) {
      this.#pixels -= pixels;
      throw error;
    }
  }

  async #add(job: Job, source: Source, options: RunOptions): Promise<void> {
    const found = foundBeforehand(job, source.pixels);
    if (found !== null) {
      this.#addOnHost(found);
      return;
    }
    const held = this.#heldOf(job);
    const work = async () => {
      if (held === null) {
        this.#addOnHost(await find(this.#opened, job, source, options));
        return;
      }
      await held.accumulator.add(source.input, options);
      held.pixels += source.pixels;
    };
    if (held === null && job.counted.reduction === null && isSmall(this.#opened.device, source)) await work();
    else await this.#lifecycle.ownTurn(work, options.signal);
  }

  /** Returns the job's accumulator, or null if the device has none or enough other jobs have one. */
  #heldOf(job: Job): Held | null {
    const known = this.#held.find((held) => held.job === job);
    if (known !== undefined) return known;
    if (this.#held.length === KEPT_JOBS || job.counted.reduction !== null) return null;
    const accumulator = job.prepared().accumulator?.();
    if (accumulator === undefined) return null;
    if (this.#held.length === 0) this.#lifecycle.keep(this);
    const held = { job, accumulator, pixels: 0 };
    this.#held.push(held);
    return held;
  }

  /**
   * Takes everything that was added. If it rejects, the counts are kept, unless the device miscounted: then they are
   * unknown and are discarded.
   */
  async take(options: RunOptions): Promise<Taken> {
    const taking = this.#take([...this.#adding, this.#taking], options);
    const settled = taking.then(
      () => {},
      () => {},
    );
    this.#taking = settled;
    try {
      return await taking;
    } finally {
      if (this.#taking === settled) this.#taking = null;
    }
  }

  async #take(before: readonly (Promise<void> | null)[], options: RunOptions): Promise<Taken> {
    await Promise.all(before);
    for (const held of this.#held) {
      if (held.pixels > 0) await this.#lifecycle.turn(() => this.#collect(held, options), options.signal);
    }
    options.signal?.throwIfAborted();
    const taken = { found: { counts: this.#onHost, timings: this.#timings }, job: this.#last, ms: this.#ms };
    this.#begin();
    if (this.#held.length === KEPT_JOBS) await this.#freeHeld();
    return taken;
  }

  async #collect(held: Held, options: RunOptions): Promise<void> {
    const part = await held.accumulator.take(options);
    const { pixels } = held;
    held.pixels = 0;
    try {
      this.#addOnHost(foundOn(this.#opened, held.job, part, pixels));
    } catch (error) {
      this.#begin();
      await this.#freeHeld();
      throw error;
    }
  }

  #addOnHost({ counts, timings }: ChannelsCounts): void {
    for (const [i, of] of this.#onHost.entries()) addCounts(of, counts[i]!);
    for (const name of ["readMs", "uploadMs", "kernelMs"] as const) this.#timings[name] += timings[name];
  }

  #begin(): void {
    this.#onHost = this.#noCounts();
    this.#timings = noTimings();
    this.#ms = 0;
    this.#pixels = 0;
    this.#last = null;
  }

  #noCounts(): Counts[] {
    return Array.from({ length: this.#channels }, () => noCounts(this.#bins));
  }

  async #freeHeld(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    await Promise.all(held.map(({ accumulator }) => accumulator.free()));
  }

  /** Waits for running calls and frees the counts on the device. You can call it more than once. */
  async free(): Promise<void> {
    this.#freed = true;
    await Promise.all([this.#taking, ...this.#adding]);
    await this.#freeHeld();
  }
}

function noTimings(): { readMs: number; uploadMs: number; kernelMs: number } {
  return { readMs: 0, uploadMs: 0, kernelMs: 0 };
}

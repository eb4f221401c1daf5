import { checkNames, expected, type Talk } from "../base/index.ts";
import {
  type ByteStream,
  type Countable,
  type FileInput,
  isByteStream,
  isFileInput,
  type Source,
} from "../input/index.ts";
import type { Histogram } from "../result/index.ts";
import { Accumulation } from "./accumulation.ts";
import type { Calls } from "./calls.ts";
import { histogramsOf } from "./count.ts";
import { countAll } from "./count-all.ts";
import { checkProgress, type Progress } from "./options.ts";
import type { Planned, Recipe } from "./recipe.ts";

/** What a counter counts: what lies in memory or on the device, no streams and no files. */
type Lying = Exclude<Countable, ByteStream | FileInput>;

/** What stops a call: it rejects with the signal's reason. */
interface Stoppable {
  readonly signal?: AbortSignal | undefined;
}

const NO_TALK: Talk<Progress> = Object.freeze({});

/**
 * Counts inputs of one type, over one axis, by one algorithm, again and again: what the options of `engine.prepare` say is
 * checked, lowered and planned once, for each size of input. Many calls may run at once.
 *
 * Inputs are samples in memory or on the device. Of another type, or another number of interleaved channels, they are
 * refused with ERR_INPUT, as streams and files are; after `free`, all are; after the engine's `close`, with ERR_UNAVAILABLE.
 *
 * @typeParam R what a call gives: a `Histogram`, or one for each of the `channels` that were asked for
 */
export class Counter<R = Histogram> implements AsyncDisposable {
  readonly #calls: Calls;
  readonly #recipe: Recipe<R>;
  /** How samples of any number are counted. */
  readonly #any: Planned;
  readonly #accumulation: Accumulation;

  /** @internal use engine.prepare */
  constructor(calls: Calls, recipe: Recipe<R>, any: Planned) {
    this.#calls = calls;
    this.#recipe = recipe;
    this.#any = any;
    const { axis, job } = any;
    this.#accumulation = new Accumulation(calls.host, calls.lifecycle, job.channels.length, axis.bins);
  }

  /** Counts an input, as `engine.histogram` or `histograms` do. */
  count(input: Lying, options: Talk<Progress> = NO_TALK): Promise<R> {
    try {
      if (options !== NO_TALK) {
        checkNames(options, ["signal", "onProgress"]);
        checkProgress(options.onProgress);
      }
      this.#checkOpen(options.signal);
      checkLying(input);
    } catch (error) {
      return Promise.reject(this.#calls.lifecycle.signed(error));
    }
    return this.#calls.count(this.#recipe, input, null, options);
  }

  /**
   * The same before it returns: nothing else runs meanwhile.
   * @throws ERR_UNSUPPORTED where the device, or the algorithm, cannot.
   */
  countSync(input: Lying): R {
    return this.#calls.lifecycle.ask(() => {
      this.#checkOpen(undefined);
      checkLying(input);
      return this.#calls.countSync(this.#recipe, input);
    });
  }

  /**
   * Counts inputs, each by itself, in as few trips to the device as it can. All or none: when one fails, so does the call.
   * @returns results in the order of the inputs.
   */
  countAll(inputs: readonly Lying[], options: Stoppable = {}): Promise<R[]> {
    return this.#run(options, async ({ signal }, since) => {
      if (!Array.isArray(inputs)) throw expected("ERR_INPUT", "inputs", "an array of samples", inputs);
      const parts = inputs.map((input) => this.#planned(input));
      const { host, lifecycle } = this.#calls;
      const all = await countAll(host, lifecycle, parts, { signal, timed: this.#recipe.timed });
      return all.map((found, i) => {
        const { job, axis } = parts[i]!;
        return this.#recipe.as(histogramsOf(found, job, axis, since));
      });
    });
  }

  /**
   * Adds the counts of an input to those of the calls before; they stay on the device where it can keep them. All or
   * nothing: a call that rejects adds nothing.
   * @throws ERR_LIMIT past 2^53 - 1 samples of a channel.
   */
  accumulate(input: Lying, options: Stoppable = {}): Promise<void> {
    return this.#run(options, ({ signal }) => {
      const { job, source } = this.#planned(input);
      return this.#accumulation.add(job, source, { signal, timed: this.#recipe.timed });
    });
  }

  /**
   * All that was accumulated, and begins anew. It waits for what was called before it. Where it rejects, nothing is taken,
   * unless the device miscounted (ERR_MISCOUNT): then all is thrown away. The plan is the last input's.
   */
  take(options: Stoppable = {}): Promise<R> {
    return this.#run(options, async ({ signal }, since) => {
      const { found, job, ms } = await this.#accumulation.take({ signal, timed: this.#recipe.timed });
      const { axis, job: any } = this.#any;
      return this.#recipe.as(histogramsOf(found, job ?? any, axis, since && since - ms));
    });
  }

  /** Lets go of what was accumulated, once nothing runs that adds to it. Again is harmless; the engine's `close` does it, too. */
  free(): Promise<void> {
    return this.#accumulation.free();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.free();
  }

  /** A call, and when it began, where it is timed. */
  async #run<T>(options: Stoppable, work: (talk: Stoppable, since: number | null) => Promise<T>): Promise<T> {
    const since = this.#recipe.timed ? performance.now() : null;
    checkNames(options, ["signal"]);
    const { signal } = options;
    return this.#calls.lifecycle.run({ signal }, async (talk) => {
      this.#checkOpen(undefined);
      return work(talk, since);
    });
  }

  #planned(input: Lying): Planned & { readonly source: Source } {
    checkLying(input);
    const source = this.#calls.source(input);
    // The axis was known beforehand.
    return { ...this.#recipe.plan(source)!, source };
  }

  /** @throws ERR_UNAVAILABLE after the engine's `close`, ERR_INPUT after `free`; the signal's reason */
  #checkOpen(signal: AbortSignal | undefined): void {
    this.#calls.lifecycle.check(signal);
    if (this.#accumulation.freed) throw expected("ERR_INPUT", "counter", "one that was not freed", this);
  }
}

/** @throws ERR_INPUT */
function checkLying(input: unknown): void {
  if (ArrayBuffer.isView(input)) return;
  if (!isByteStream(input) && !isFileInput(input)) return;
  throw expected("ERR_INPUT", "input", "samples in memory or on the device", input, {
    helps: "engine.histogram counts streams and files",
  });
}

import {
  type CallControl,
  checkNames,
  expected,
  needsObject,
  ownOptions,
  PolybinError,
} from "../../base/index.ts";
import {
  type ByteStream,
  type Countable,
  type FileInput,
  isByteStream,
  isFileInput,
  type Source,
} from "../../input/index.ts";
import type { Histogram } from "../../result/index.ts";
import { histogramsOf } from "../channels/count.ts";
import type { Planned, Recipe } from "../jobs/recipe.ts";
import { checkProgress, type Progress } from "../options/options.ts";
import { deviceInput } from "../samples/device-input.ts";
import { Accumulation } from "./accumulation.ts";
import type { Calls } from "./calls.ts";
import { countAll } from "./count-all.ts";

/** Inputs of a counter: samples in memory or on the device, but no streams or files. */
type CounterInput = Exclude<Countable, ByteStream | FileInput>;

/** Options of a call that can be aborted. */
interface AbortOptions {
  readonly signal?: AbortSignal | undefined;
}

const NO_TALK: CallControl<Progress> = Object.freeze(ownOptions({}));

/**
 * Counts inputs of one type over one axis with one algorithm, repeatedly. The options of `engine.prepare` are
 * checked, lowered and planned once per size of input. You can make many calls at once.
 *
 * Inputs are samples in memory or on the device. Streams, files, samples of another type and another number of
 * interleaved channels are refused with ERR_INPUT. So are all inputs after `free`. After the engine's `close`, calls
 * are refused with ERR_UNAVAILABLE.
 *
 * @typeParam R the result of a call: a `Histogram`, or one per entry of `channels`
 */
export class Counter<R = Histogram> implements AsyncDisposable {
  readonly #calls: Calls;
  readonly #recipe: Recipe<R>;
  /** The plan for any number of samples. */
  readonly #any: Planned;
  readonly #accumulation: Accumulation;

  /** @internal Use engine.prepare. */
  constructor(calls: Calls, recipe: Recipe<R>, any: Planned) {
    this.#calls = calls;
    this.#recipe = recipe;
    this.#any = any;
    const { job } = any;
    this.#accumulation = new Accumulation(calls.opened, calls.lifecycle, job.channels.length, job.axis.bins);
  }

  /** Counts an input, as `engine.histogram` or `engine.histograms` does. */
  count(input: CounterInput, options: CallControl<Progress> = NO_TALK): Promise<R> {
    const own = options === NO_TALK ? NO_TALK : ownOptions(options);
    try {
      if (own !== NO_TALK) {
        checkNames(own, ["signal", "onProgress"]);
        checkProgress(own.onProgress);
      }
      this.#checkOpen(own.signal);
      checkInput(input);
    } catch (error) {
      return Promise.reject(this.#calls.lifecycle.signed(error));
    }
    return this.#calls.count(this.#recipe, input, null, own);
  }

  /**
   * Counts an input synchronously. It blocks the thread until it returns.
   * @throws ERR_UNSUPPORTED if the device or the algorithm cannot count synchronously.
   */
  countSync(input: CounterInput): R {
    try {
      this.#checkOpen(undefined);
      checkInput(input);
      const { opened } = this.#calls;
      return this.#calls.countSync(this.#recipe, input, (source, counted) =>
        deviceInput(opened, source, counted),
      );
    } catch (error) {
      throw this.#calls.lifecycle.signed(error);
    }
  }

  /**
   * Counts each input separately, in as few trips to the device as possible. If one input fails, the whole call
   * rejects.
   * @returns one result per input, in the order of the inputs.
   */
  countAll(inputs: readonly CounterInput[], options: AbortOptions = {}): Promise<R[]> {
    return this.#run(options, async ({ signal }, since) => {
      if (!Array.isArray(inputs)) throw expected("ERR_INPUT", "inputs", "an array of samples", inputs);
      const parts = inputs.map((input) => this.#planned(input));
      const { opened, lifecycle } = this.#calls;
      const all = await countAll(opened, lifecycle, parts, { signal, timed: this.#recipe.timed });
      return all.map((found, i) => {
        const { job, type, axis } = parts[i]!;
        return this.#recipe.as(histogramsOf(found, job, type, axis, since));
      });
    });
  }

  /**
   * Adds the counts of an input to those of earlier calls. The counts stay on the device if it can keep them. A call
   * that rejects adds nothing.
   * @throws ERR_LIMIT above 2^53 - 1 samples per channel.
   */
  accumulate(input: CounterInput, options: AbortOptions = {}): Promise<void> {
    return this.#run(options, ({ signal }) => {
      const { job, source } = this.#planned(input);
      return this.#accumulation.add(job, source, { signal, timed: this.#recipe.timed });
    });
  }

  /**
   * Returns everything that was accumulated and starts again from zero. It waits for the calls made before it. If it
   * rejects, the counts are kept, except after a miscount of the device (ERR_MISCOUNT), which discards them. The plan
   * of the result is that of the last input.
   */
  take(options: AbortOptions = {}): Promise<R> {
    return this.#run(options, async ({ signal }, since) => {
      const { found, job, ms } = await this.#accumulation.take({ signal, timed: this.#recipe.timed });
      const { axis, type, job: any } = this.#any;
      return this.#recipe.as(histogramsOf(found, job ?? any, type, axis, since && since - ms));
    });
  }

  /**
   * Waits for running calls and frees the accumulated counts. You can call it more than once. The engine's `close`
   * does it too.
   */
  free(): Promise<void> {
    return this.#accumulation.free();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.free();
  }

  /** Runs a call and passes the time at which it began, or null if it is not timed. */
  async #run<T>(
    options: AbortOptions,
    work: (talk: AbortOptions, since: number | null) => Promise<T>,
  ): Promise<T> {
    const since = this.#recipe.timed ? performance.now() : null;
    const own = ownOptions(options);
    checkNames(own, ["signal"]);
    const { signal } = own;
    return this.#calls.lifecycle.run({ signal }, async (talk) => {
      this.#checkOpen(undefined);
      return work(talk, since);
    });
  }

  #planned(input: CounterInput): Planned & { readonly source: Source } {
    checkInput(input);
    const source = this.#calls.source(this.#recipe, input);
    // The axis is known, so the plan is never null.
    return { ...this.#recipe.plan(source)!, source };
  }

  /**
   * @throws ERR_UNAVAILABLE after the engine's `close`, ERR_INPUT after `free`.
   * @throws the signal's reason.
   */
  #checkOpen(signal: AbortSignal | undefined): void {
    this.#calls.lifecycle.check(signal);
    if (this.#accumulation.freed) throw new PolybinError("ERR_INPUT", "expected a counter but it was freed");
  }
}

needsObject(Counter, "counter");

/** @throws ERR_INPUT */
function checkInput(input: unknown): void {
  if (ArrayBuffer.isView(input)) return;
  if (!isByteStream(input) && !isFileInput(input)) return;
  throw expected("ERR_INPUT", "input", "samples in memory or on the device", input, {
    helps: "engine.histogram counts streams and files",
  });
}

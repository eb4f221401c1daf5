import type { Backend, Device, RunOptions } from "../backend/index.ts";
import { checkNames, loadedOnce, PolybinError } from "../base/index.ts";
import {
  type ByteStream,
  type Countable,
  channelsOf,
  checkedTable,
  checkedWhole,
  type Extent,
  type External,
  type FeatureTableInit,
  NO_EXTENT,
  type Resident,
  type SamplesInit,
  type SegmentsInit,
  samples,
  sourceOf,
} from "../input/index.ts";
import type { Plan } from "../plan/index.ts";
import type { Histogram, Segmented, Weighed } from "../result/index.ts";
import { Calls } from "./calls.ts";
import type { Counter } from "./counter.ts";
import type { Encoded } from "./encode.ts";
import { type CountRequest, type Explanation, explain, supports } from "./explain.ts";
import { type Host, hostOf, readable } from "./host.ts";
import { imageOf } from "./image.ts";
import { Lifecycle } from "./lifecycle.ts";
import {
  checkEncodeOptions,
  checkProgress,
  type EncodeOptions,
  type HistogramOptions,
  type PrepareOptions,
} from "./options.ts";
import { Jobs } from "./prepare.ts";
import { Recipes } from "./recipes.ts";
import { SegmentJobs } from "./segment-jobs.ts";
import type { SegmentedOptions } from "./segmented-options.ts";
import type { SegmentedResident } from "./segmented-resident.ts";
import type { FeatureTable } from "./table/table.ts";
import type { WeightedHistogramOptions } from "./weigh/weigh.ts";

// What an engine needs for a first histogram is in its first chunk; the rest is loaded on first use.
const counters = loadedOnce(() => import("./prepare-counter.ts"));
const tables = loadedOnce(() => import("./table/index.ts"));
const segmenting = loadedOnce(() => import("./segments.ts"));
const encoding = loadedOnce(() => import("./encode.ts"));
const weighing = loadedOnce(() => import("./weigh/source.ts"));

/** A backend that was passed over. */
export interface Skipped {
  readonly backend: string;
  readonly reason: string;
}

/** An open backend that counts. Many calls may run at once. */
export class Engine implements AsyncDisposable {
  /** The backend's id. */
  readonly backend: string;
  /** The device, in words. */
  readonly device: string;
  /** The slugs this backend has. */
  readonly algorithms: readonly string[];
  /** The weighted slugs it has; none: it has no tables. */
  readonly weighted: readonly string[];
  /** Backends that were passed over for this one, and why. */
  readonly skipped: readonly Skipped[];
  /** Can this backend read files itself, in bounded memory? */
  readonly readsFiles: boolean;
  readonly #host: Host;
  readonly #lifecycle: Lifecycle;
  readonly #jobs: Jobs;
  readonly #segmentJobs: SegmentJobs;
  readonly #calls: Calls;
  readonly #one: Recipes<Histogram>;
  readonly #each: Recipes<Histogram[]>;

  /** @internal use openEngine */
  constructor(backend: Backend, device: Device, skipped: readonly Skipped[], maxQueue: number) {
    const lifecycle = new Lifecycle(backend.id, device.callsAtOnce, maxQueue);
    const host = hostOf(backend, device, (talk, work) => lifecycle.inTurn(talk, work));
    this.backend = backend.id;
    this.device = device.name;
    this.algorithms = Object.freeze(host.algorithms.map(({ slug }) => slug));
    this.weighted = Object.freeze(host.weighted.map(({ slug }) => slug));
    this.skipped = Object.freeze([...skipped]);
    this.readsFiles = device.readsFiles;
    this.#lifecycle = lifecycle;
    this.#host = host;
    const jobs = new Jobs(host);
    this.#jobs = jobs;
    this.#segmentJobs = new SegmentJobs(host, jobs);
    this.#calls = new Calls(host, jobs, lifecycle);
    this.#one = new Recipes(host, jobs, "channel", (all) => all[0]!);
    this.#each = new Recipes(host, jobs, "channels", (all) => all);
  }

  /**
   * Counts samples of one channel; with `weights`, which samples in memory may have, adds those up, too.
   * @throws ERR_INPUT for several channels: `histograms` gives one for each.
   */
  histogram(
    input: Countable,
    options: WeightedHistogramOptions & { readonly channel?: number },
  ): Promise<Weighed>;
  histogram(
    input: Countable,
    options?: HistogramOptions & { readonly channel?: number; readonly weights?: undefined },
  ): Promise<Histogram>;
  histogram(
    input: Countable,
    options: (HistogramOptions | WeightedHistogramOptions) & { readonly channel?: number },
  ): Promise<Histogram | Weighed>;
  histogram(
    input: Countable,
    options: (HistogramOptions | WeightedHistogramOptions) & { readonly channel?: number } = {},
  ): Promise<Histogram | Weighed> {
    return isWeighted(options) ? this.#weigh(input, options) : this.#count(this.#one, input, options);
  }

  /** Counts each of the given interleaved channels (default: all) by itself, over one axis. */
  histograms(
    input: Countable,
    options: HistogramOptions & { readonly channels?: readonly number[] } = {},
  ): Promise<Histogram[]> {
    return this.#count(this.#each, input, options);
  }

  /**
   * Prepares calls of one kind: their options are checked, their axis is lowered and their kernels are made once. With
   * `channels` each call gives a histogram for each of them.
   * @throws ERR_AXIS for floats and 32-bit integers without an axis or a range, which would have to be read first; all else
   * that `histogram` throws for its options.
   */
  prepare(
    options: PrepareOptions & { readonly channels: readonly number[]; readonly channel?: undefined },
  ): Promise<Counter<Histogram[]>>;
  prepare(
    options?: PrepareOptions & { readonly channel?: number; readonly channels?: undefined },
  ): Promise<Counter>;
  prepare(
    options: PrepareOptions & {
      readonly channel?: number | undefined;
      readonly channels?: readonly number[] | undefined;
    } = {},
  ): Promise<Counter | Counter<Histogram[]>> {
    return this.#lifecycle.run({}, async () => {
      const { prepareCounter } = await counters();
      return prepareCounter(this.#calls, this.#jobs, options);
    });
  }

  /**
   * Memory in which samples are counted soonest on this device: shared with workers, or page-locked, as that likes it. It
   * is the caller's, holds zeros, and is let go when nobody has it any more.
   * @throws ERR_INPUT for what is no number of bytes; ERR_OUT_OF_MEMORY where there is not so much
   */
  allocate(bytes: number): Uint8Array {
    return this.#lifecycle.ask(() => {
      checkedWhole(bytes, "bytes", 0);
      const { device } = this.#host;
      try {
        return new Uint8Array(device.allocate?.(bytes) ?? new ArrayBuffer(bytes), 0, bytes);
      } catch (cause) {
        if (!(cause instanceof RangeError)) throw cause;
        throw new PolybinError(
          "ERR_OUT_OF_MEMORY",
          `expected memory of ${bytes} bytes but there is not so much`,
          {
            cause,
          },
        );
      }
    });
  }

  /**
   * Brings samples to the device, to be counted there again and again. They are the samples as of now.
   * (A worker pool takes shared memory as it is: do not write to it while it is resident.)
   * Free them with `free()`, `await using`, or the engine's `close`.
   */
  async upload(
    input: SamplesInit | SamplesInit["data"],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Resident> {
    checkNames(options, ["signal"]);
    const checked = samples(input);
    return this.#lifecycle.run({ signal: options.signal }, async () => {
      const { device, uploaded } = this.#host;
      const resident = await device.upload(checked, { signal: options.signal });
      uploaded.set(resident, imageOf(input, checked));
      this.#lifecycle.keep(resident);
      return resident;
    });
  }

  /**
   * Brings the features of documents to the device, over whose bins weights are then added up again and again. They are
   * the values as of now.
   * @throws ERR_INPUT where a value is not below its feature's bins, or anything does not fit; ERR_UNSUPPORTED where the
   * backend has no weighted sums.
   */
  async table(
    init: FeatureTableInit,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<FeatureTable> {
    checkNames(options, ["signal"]);
    return this.#lifecycle.run({ signal: options.signal }, async ({ signal }) => {
      // Copied before anything is loaded.
      const checking = checkedTable(init, signal);
      checking.catch(() => {});
      const { FeatureTable, tableHost } = await tables();
      const host = tableHost(this.#host);
      const values = await checking;
      const resident = await host.device.uploadTable(values, { signal });
      const table = new FeatureTable(values, resident, host);
      this.#lifecycle.keep(table);
      return table;
    });
  }

  /**
   * Counts each segment of samples into a row of its own: thumbnails, tiles, groups that lie together. `how` is
   * `{ every: n }`, `{ offsets }` or `{ tiles: { width, height } }`, in pixels; the last segments may be shorter, and
   * segments may be empty. Where the range of the data decides the axis, it is that of all samples.
   * With `leave` the counts stay on the device.
   * @throws ERR_INPUT for segments that do not fit the samples; ERR_UNSUPPORTED for streams and files, and where the
   * backend counts no segments.
   */
  segments(
    input: Countable,
    how: SegmentsInit,
    options: SegmentedOptions & { readonly leave: true },
  ): Promise<SegmentedResident>;
  segments(
    input: Countable,
    how: SegmentsInit,
    options?: SegmentedOptions & { readonly leave?: false | undefined },
  ): Promise<Segmented>;
  segments(
    input: Countable,
    how: SegmentsInit,
    options?: SegmentedOptions,
  ): Promise<Segmented | SegmentedResident>;
  async segments(
    input: Countable,
    how: SegmentsInit,
    options: SegmentedOptions = {},
  ): Promise<Segmented | SegmentedResident> {
    const host = this.#host;
    const jobs = this.#segmentJobs;
    return this.#lifecycle.run(options, async (talk) => {
      const { checkSegmentedOptions, countSegments, leaveSegments } = await segmenting();
      checkSegmentedOptions(options, host);
      const given = { ...options, ...talk };
      return this.#lifecycle.ownTurn(async () => {
        if (options.leave !== true) return countSegments(host, jobs, input, how, given);
        const left = await leaveSegments(host, jobs, input, how, given);
        this.#lifecycle.keep(left);
        return left;
      }, talk.signal);
    });
  }

  /** The finite minimum and maximum of samples; min > max where there is none. */
  async extent(
    input: Exclude<Countable, ByteStream>,
    options: RunOptions & { readonly channels?: readonly number[] } = {},
  ): Promise<Extent> {
    checkNames(options, ["signal", "onProgress", "channels"]);
    checkProgress(options.onProgress);
    const source = sourceOf(input);
    const channels = channelsOf(source, options.channels ?? "all");
    const { signal, onProgress } = options;
    return this.#lifecycle.inTurn({ signal, onProgress }, (talk) =>
      source.pixels === 0
        ? Promise.resolve(NO_EXTENT)
        : this.#host.device.extent(readable(this.#host, source), channels, talk),
    );
  }

  /**
   * Puts the counting of samples that are on the device into a user's own encoder, and their counts into a user's own
   * memory: nothing is submitted, nothing is read back. Once it resolves, the commands stand behind those that were
   * there before; do not use the encoder while it runs. The samples must be there until the commands have run.
   * @throws ERR_UNSUPPORTED where the backend has no encoders; ERR_AXIS for floats and 32-bit integers without an axis or a
   * range, which would have to be read; ERR_LIMIT from 2^32 pixels on.
   */
  async encode(encoder: object, input: Resident | External, options: EncodeOptions): Promise<Encoded> {
    const checked = checkEncodeOptions(options, this.#host);
    return this.#lifecycle.run({ signal: checked.signal }, async () => {
      const { encode } = await encoding();
      return encode(this.#host, this.#jobs, encoder, input, checked);
    });
  }

  /**
   * The plan of a request, or the sentence that says why there is none. Counts nothing.
   * @throws ERR_INPUT for what no request holds; ERR_AXIS where the data would decide the axis.
   */
  supports(request: CountRequest): Plan | string {
    return supports(this.#host, this.#jobs, request);
  }

  /**
   * How a request would be counted: the portable plan and the device's own part of it, as data and as text. Counts nothing.
   * @throws ERR_UNSUPPORTED where nothing can count it, with the sentence of `supports`; ERR_INPUT, ERR_AXIS as there;
   * ERR_UNAVAILABLE after `close`.
   */
  explain(request: CountRequest): Explanation {
    return this.#lifecycle.ask(() => explain(this.#host, this.#jobs, this.#segmentJobs, request));
  }

  /**
   * Waits for the calls that were made, frees every resident and lets the device go. Again is harmless.
   * A call that reads a stream is not waited for, since nobody knows when that ends: once the piece that is being counted
   * is done, it rejects with ERR_UNAVAILABLE, and the stream is let go.
   */
  close(): Promise<void> {
    return this.#lifecycle.close(() => this.#host.device.close());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #count<R>(
    recipes: Recipes<R>,
    input: Countable,
    options: HistogramOptions & { readonly channel?: number; readonly channels?: readonly number[] },
  ): Promise<R> {
    try {
      const { recipe, axis } = recipes.of(options);
      return this.#calls.count(recipe, input, axis, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #weigh(
    input: Countable,
    options: WeightedHistogramOptions & { readonly channel?: number },
  ): Promise<Weighed> {
    return this.#lifecycle.run(options, async (talk) => {
      const { checkWeightedOptions, weighSource } = await weighing();
      const weighted = checkWeightedOptions(options, this.#host);
      return this.#lifecycle.ownTurn(
        () => weighSource(this.#host, this.#jobs, input, { ...weighted, ...talk }),
        talk.signal,
      );
    });
  }
}

function isWeighted(options: unknown): options is WeightedHistogramOptions {
  return (
    typeof options === "object" &&
    options !== null &&
    (options as { weights?: unknown }).weights !== undefined
  );
}

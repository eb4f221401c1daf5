import type { Backend, Device, RunOptions } from "../backend/index.ts";
import { checkNames, loadedOnce, PolybinError, type Talk } from "../base/index.ts";
import {
  type ByteStream,
  type Countable,
  channelsOf,
  checkedTable,
  checkedWhole,
  type Extent,
  type External,
  type FeatureTableInit,
  forDevice,
  type Resident,
  SAMPLE_TYPES,
  type SamplesInit,
  type SegmentsInit,
  samples,
} from "../input/index.ts";
import type { JointPlan, Plan } from "../plan/index.ts";
import type {
  Grouped,
  Histogram,
  JointHistogram,
  Segmented,
  Weighed,
  WeightedHistogram,
  WeightedJointHistogram,
} from "../result/index.ts";
import { Calls } from "./calls.ts";
import type { ChannelAxesOptions } from "./channel-axes.ts";
import type { Counter } from "./counter.ts";
import type { Encoded } from "./encode.ts";
import { type CountRequest, type Explanation, explain, supports } from "./explain.ts";
import { extentIn } from "./extent-in.ts";
import { type Host, hostOf, sourceIn } from "./host.ts";
import { imageOf } from "./image.ts";
import type { JointEngine } from "./joint/call.ts";
import type { JointCounter, JointPrepareOptions } from "./joint/counter.ts";
import type { JointCountRequest, JointExplanation } from "./joint/explain.ts";
import type {
  Groups,
  JointColumnInput,
  JointOptions,
  JointSource,
  SelectedOptions,
} from "./joint/options.ts";
import type { WeightedJointOptions, WeightedSelectedOptions } from "./joint/weigh.ts";
import { Lifecycle } from "./lifecycle.ts";
import {
  checkEncodeOptions,
  checkProgress,
  type EncodeOptions,
  type HistogramOptions,
  type PrepareOptions,
  type Progress,
} from "./options.ts";
import { Jobs } from "./prepare.ts";
import { Recipes } from "./recipes.ts";
import { SegmentJobs } from "./segment-jobs.ts";
import type { SegmentedOptions } from "./segmented-options.ts";
import type { SegmentedResident } from "./segmented-resident.ts";
import type { FeatureTable } from "./table/table.ts";
import type { WeightedHistogramOptions } from "./weigh/weigh.ts";

// The first chunk holds the code for a first histogram. The engine loads these modules on first use.
const channelAxes = loadedOnce(() => import("./channel-axes.ts"));
const converting = loadedOnce(() => import("./device-input.ts"));
const counters = loadedOnce(() => import("./prepare-counter.ts"));
const tables = loadedOnce(() => import("./table/index.ts"));
const segmenting = loadedOnce(() => import("./segments.ts"));
const joining = loadedOnce(() => import("./joint/index.ts"));
const encoding = loadedOnce(() => import("./encode.ts"));
const weighing = loadedOnce(() => import("./weigh/source.ts"));

/** A backend that did not work here, and the reason. */
export interface Skipped {
  readonly backend: string;
  readonly reason: string;
}

/** Counts samples on an open backend. You can make many calls at once. */
export class Engine implements AsyncDisposable {
  /** The backend's id, such as "cpu". */
  readonly backend: string;
  /** The device's name. */
  readonly device: string;
  /** Slugs of the algorithms that this backend has. */
  readonly algorithms: readonly string[];
  /** Slugs of the weighted algorithms that this backend has. Empty: the backend has no feature tables. */
  readonly weighted: readonly string[];
  /** Backends that were tried before this one and did not work, with the reasons. */
  readonly skipped: readonly Skipped[];
  /** Whether this backend reads files itself, in bounded memory. */
  readonly readsFiles: boolean;
  readonly #host: Host;
  readonly #lifecycle: Lifecycle;
  readonly #jobs: Jobs;
  readonly #segmentJobs: SegmentJobs;
  #joint: JointEngine | null = null;
  readonly #calls: Calls;
  readonly #one: Recipes<Histogram>;
  readonly #each: Recipes<Histogram[]>;

  /** @internal Use openEngine. */
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
   * Counts the samples of one channel. With `weights`, it also adds up the weights. Weights need samples in memory. With
   * `mask` or `where`, it counts some of the samples, and with `by` those of each group. These need samples in memory or
   * on the device.
   * @throws ERR_INPUT for several channels without `channel`. Use `histograms` to get one histogram per channel.
   */
  histogram(
    input: Countable,
    options: WeightedHistogramOptions & {
      readonly channel?: number;
      readonly mask?: undefined;
      readonly where?: undefined;
      readonly by?: undefined;
    },
  ): Promise<Weighed>;
  histogram(
    input: JointSource,
    options: WeightedSelectedOptions & { readonly by: Groups },
  ): Promise<WeightedJointHistogram>;
  histogram(
    input: JointSource,
    options: WeightedSelectedOptions & { readonly by?: undefined },
  ): Promise<WeightedHistogram>;
  histogram(
    input: JointSource,
    options: SelectedOptions & {
      readonly channel?: number;
      readonly by: Groups;
      readonly weights?: undefined;
    },
  ): Promise<Grouped>;
  histogram(
    input: Countable,
    options?: (HistogramOptions | SelectedOptions) & {
      readonly channel?: number;
      readonly by?: undefined;
      readonly weights?: undefined;
    },
  ): Promise<Histogram>;
  histogram(
    input: Countable,
    options: (HistogramOptions | WeightedHistogramOptions) & { readonly channel?: number },
  ): Promise<Histogram | Weighed>;
  histogram(
    input: Countable,
    options: (HistogramOptions | SelectedOptions | WeightedHistogramOptions | WeightedSelectedOptions) & {
      readonly channel?: number;
    } = {},
  ): Promise<Histogram | Grouped | WeightedHistogram | WeightedJointHistogram> {
    if (isSelected(options)) return this.#select(input as JointSource, options);
    if (isWeighted(options)) return this.#weigh(input, options);
    return this.#count(this.#one, input, options);
  }

  /**
   * Counts each of the given interleaved channels, and returns one histogram per channel. Default: all channels. They
   * have one axis, or one axis each with `axes`. Both take one pass over the samples.
   * @throws ERR_UNSUPPORTED for `axes` over samples that this thread converts first (64-bit integers, and samples of 32
   * and 64 bits over a circular axis).
   */
  histograms(input: Countable, options: ChannelAxesOptions): Promise<Histogram[]>;
  histograms(
    input: JointSource,
    options: SelectedOptions & { readonly channels?: readonly number[]; readonly by: Groups },
  ): Promise<Grouped[]>;
  histograms(
    input: JointSource,
    options: SelectedOptions & { readonly channels?: readonly number[]; readonly by?: undefined },
  ): Promise<Histogram[]>;
  histograms(
    input: Countable,
    options?: HistogramOptions & {
      readonly channels?: readonly number[] | undefined;
      readonly axes?: undefined;
    },
  ): Promise<Histogram[]>;
  histograms(
    input: Countable,
    options:
      | (HistogramOptions & { readonly channels?: readonly number[] | undefined })
      | (SelectedOptions & { readonly channels?: readonly number[] })
      | ChannelAxesOptions = {},
  ): Promise<Histogram[] | Grouped[]> {
    if (isSelected(options)) {
      return this.#jointly(options, ({ callEachSelected }, engine, talk) =>
        callEachSelected(engine, input as JointSource, options, talk),
      );
    }
    if (!hasAxes(options)) return this.#count(this.#each, input, options);
    const count = (over: HistogramOptions) => this.#count(this.#each, input, over);
    return channelAxes().then(({ countOverAxes }) => countOverAxes(this.#host, input, options, count));
  }

  /**
   * Prepares repeated calls of one kind. It checks their options, lowers their axis and builds their kernels once.
   * With `channels`, each call returns one histogram per channel. With `columns`, each call counts several columns
   * together, as `joint` does.
   * @throws ERR_AXIS for floats and 32-bit integers without an axis or a range, because the data would have to be
   * read first.
   * @throws everything that `histogram` throws for its options.
   */
  prepare(options: JointPrepareOptions): Promise<JointCounter>;
  prepare(
    options: PrepareOptions & { readonly channels: readonly number[]; readonly channel?: undefined },
  ): Promise<Counter<Histogram[]>>;
  prepare(
    options?: PrepareOptions & { readonly channel?: number; readonly channels?: undefined },
  ): Promise<Counter>;
  prepare(
    options:
      | JointPrepareOptions
      | (PrepareOptions & {
          readonly channel?: number | undefined;
          readonly channels?: readonly number[] | undefined;
        }) = {},
  ): Promise<Counter | Counter<Histogram[]> | JointCounter> {
    if (isJoint(options)) {
      return this.#jointly({}, async ({ prepareJointCounter }, engine) =>
        prepareJointCounter(engine, options),
      );
    }
    return this.#lifecycle.run({}, async () => {
      const { prepareCounter } = await counters();
      return prepareCounter(this.#calls, this.#jobs, options);
    });
  }

  /**
   * Allocates memory that this device counts fastest: shared with workers, or page-locked, as the device prefers. The
   * memory is yours and holds zeros. It is freed when nothing references it any more.
   * @throws ERR_INPUT unless `bytes` is a whole number of at least 0.
   * @throws ERR_OUT_OF_MEMORY if the memory is not available.
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
          `expected memory of ${bytes} bytes but that much is not available`,
          {
            cause,
          },
        );
      }
    });
  }

  /**
   * Copies samples to the device, so that you can count them repeatedly there. The copy holds the samples as they are
   * now. There is one exception: a worker pool keeps shared memory as it is, so do not write to it while it is
   * resident. Free the samples with `free()`, `await using`, or the engine's `close`. A resident has the type that the
   * device counts: "u16" for f16, and "f64" for 64-bit integers, which are rounded down. The engine knows what they were.
   */
  async upload(
    input: SamplesInit | SamplesInit["data"],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Resident> {
    checkNames(options, ["signal"]);
    const checked = samples(input);
    const { type } = checked;
    return this.#lifecycle.run({ signal: options.signal }, async () => {
      const { device, uploaded, converted } = this.#host;
      const ofDevice = forDevice(checked);
      const isKnown = SAMPLE_TYPES.includes(ofDevice.type);
      const own = isKnown ? ofDevice : (await converting()).roundedSamples(checked);
      const resident = await device.upload(own, { signal: options.signal });
      if (own.type !== type) converted.set(resident, type);
      uploaded.set(resident, imageOf(input, checked));
      this.#lifecycle.keep(resident);
      return resident;
    });
  }

  /**
   * Copies the features of documents to the device, so that you can add up weights over their bins repeatedly. The
   * copy holds the values as they are now.
   * @throws ERR_INPUT if a value is not below its feature's number of bins, or the table is invalid.
   * @throws ERR_UNSUPPORTED if the backend has no weighted sums.
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
   * Counts each segment of the samples into its own row. Segments are thumbnails, tiles, or groups that lie together
   * in memory. `how` is `{ every: n }`, `{ offsets }` or `{ tiles: { width, height } }`, in pixels. The last segments
   * may be shorter, and segments may be empty. If the range of the data decides the axis, it is the range of all
   * samples. With `leave`, the counts stay on the device.
   * @throws ERR_INPUT for segments that do not fit the samples.
   * @throws ERR_UNSUPPORTED for streams and files, and if the backend does not count segments.
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

  /**
   * Counts how often values of several columns occur together. The columns are 2 to 6 arrays or residents with the same
   * number of samples, or `channels` of one input. Each has an axis, and every combination of bins is a cell. With `by`,
   * it returns counts of each group.
   * @throws ERR_INPUT for columns of different lengths, an invalid mask, or codes outside the groups.
   * @throws ERR_LIMIT for more cells than the device can hold: 2^24 in tables, 2^26 in the global memory of a GPU.
   * Columns may be streams or, in Node, files (`fileSamples`), which are read piece by piece, without a mask, a list or
   * groups.
   * @throws ERR_UNSUPPORTED if the backend does not count several columns.
   */
  joint(
    columns: JointSource | readonly JointColumnInput[],
    options: WeightedJointOptions,
  ): Promise<WeightedJointHistogram>;
  joint(
    columns: JointSource | readonly JointColumnInput[],
    options: JointOptions & { readonly by: Groups; readonly weights?: undefined },
  ): Promise<Grouped<JointHistogram>>;
  joint(
    columns: JointSource | readonly JointColumnInput[],
    options?: JointOptions & { readonly by?: undefined; readonly weights?: undefined },
  ): Promise<JointHistogram>;
  joint(
    columns: JointSource | readonly JointColumnInput[],
    options: JointOptions & { readonly weights?: undefined },
  ): Promise<JointHistogram | Grouped<JointHistogram>>;
  joint(
    columns: JointSource | readonly JointColumnInput[],
    options: JointOptions | WeightedJointOptions = {},
  ): Promise<JointHistogram | Grouped<JointHistogram> | WeightedJointHistogram> {
    return this.#jointly(options, ({ callJoint }, engine, talk) => callJoint(engine, columns, options, talk));
  }

  /** Returns the finite minimum and maximum of the samples. If there is no finite sample, min > max. */
  async extent(
    input: Exclude<Countable, ByteStream>,
    options: RunOptions & { readonly channels?: readonly number[] } = {},
  ): Promise<Extent> {
    checkNames(options, ["signal", "onProgress", "channels"]);
    checkProgress(options.onProgress);
    const source = sourceIn(this.#host, input);
    const channels = channelsOf(source, options.channels ?? "all");
    const { signal, onProgress } = options;
    return this.#lifecycle.inTurn({ signal, onProgress }, (talk) =>
      extentIn(this.#host, source, channels, talk),
    );
  }

  /**
   * Records the counting of samples on the device into your own encoder, with your own memory as the destination. It
   * submits nothing and reads nothing back. When the promise resolves, the commands follow those that the encoder
   * held before. Do not use the encoder before that. Keep the samples until the commands have run.
   * @throws ERR_UNSUPPORTED if the backend has no encoders.
   * @throws ERR_AXIS for floats and 32-bit integers without an axis or a range, because the data would have to be
   * read.
   * @throws ERR_LIMIT from 2^32 pixels on.
   */
  async encode(encoder: object, input: Resident | External, options: EncodeOptions): Promise<Encoded> {
    const checked = checkEncodeOptions(options, this.#host);
    return this.#lifecycle.run({ signal: checked.signal }, async () => {
      const { encode } = await encoding();
      return encode(this.#host, this.#jobs, encoder, input, checked);
    });
  }

  /**
   * Returns the plan of a request, or a sentence that states why there is none. It counts nothing.
   * @throws ERR_INPUT for an invalid request.
   * @throws ERR_AXIS if the data would decide the axis.
   */
  supports(request: CountRequest): Plan | string {
    return supports(this.#host, this.#jobs, request);
  }

  /**
   * Explains how a request would be counted: the portable plan and the device's part of it, as data and as text. It
   * counts nothing.
   * @throws ERR_UNSUPPORTED, with the sentence of `supports`, if the backend cannot count it.
   * @throws ERR_INPUT and ERR_AXIS as `supports`.
   * @throws ERR_UNAVAILABLE after `close`.
   */
  explain(request: CountRequest): Explanation {
    return this.#lifecycle.ask(() => explain(this.#host, this.#jobs, this.#segmentJobs, request));
  }

  /**
   * Returns the plan of a joint histogram, or of a histogram with a mask or groups, or a sentence that states why there
   * is none. It counts nothing.
   * @throws ERR_INPUT, ERR_AXIS or ERR_LIMIT for an invalid request.
   */
  supportsJoint(request: JointCountRequest): Promise<JointPlan | string> {
    return this.#jointly({}, async ({ supportsJoint }, { host, jobs }) => supportsJoint(host, jobs, request));
  }

  /**
   * Explains how a joint histogram, or a histogram with a mask or groups, would be counted: the portable plan and the
   * device's part of it. It counts nothing.
   * @throws ERR_UNSUPPORTED, with the sentence of `supportsJoint`, if the backend cannot count it.
   * @throws ERR_INPUT, ERR_AXIS or ERR_LIMIT for an invalid request.
   */
  explainJoint(request: JointCountRequest): Promise<JointExplanation> {
    return this.#jointly({}, async ({ explainJoint }, { host, jobs }) => explainJoint(host, jobs, request));
  }

  /**
   * Waits for pending calls, frees every resident and closes the device. You can call it more than once. It does not
   * wait for the end of streams. A call that reads a stream rejects with ERR_UNAVAILABLE as soon as the piece that is
   * being counted is done, and the stream is released.
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
    options: HistogramOptions & {
      readonly channel?: number;
      readonly channels?: readonly number[] | undefined;
    },
  ): Promise<R> {
    try {
      const { recipe, axis } = recipes.of(options);
      return this.#calls.count(recipe, input, axis, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Counts one channel with a mask, a list of indices, or groups. */
  #select(
    input: JointSource,
    options: (SelectedOptions | WeightedSelectedOptions) & { readonly channel?: number },
  ): Promise<Histogram | Grouped | WeightedHistogram | WeightedJointHistogram> {
    return this.#jointly(options, ({ callSelected }, engine, talk) =>
      callSelected(engine, input, options, talk),
    );
  }

  /** Runs a call of several columns, a mask or groups. */
  #jointly<T>(
    options: Talk<Progress>,
    work: (
      module: Awaited<ReturnType<typeof joining>>,
      engine: JointEngine,
      talk: Talk<Progress>,
    ) => Promise<T>,
  ): Promise<T> {
    return this.#lifecycle.run(options, async (talk) => {
      const module = await joining();
      this.#joint ??= {
        host: this.#host,
        lifecycle: this.#lifecycle,
        jobs: new module.JointJobs(this.#host, this.#jobs),
      };
      return work(module, this.#joint, talk);
    });
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

/** Returns true for the options of a counter of several columns. */
function isJoint(options: unknown): options is JointPrepareOptions {
  return typeof options === "object" && options !== null && "columns" in options;
}

/** Returns true for options that leave samples out or group them. */
function isSelected(options: unknown): options is SelectedOptions {
  if (typeof options !== "object" || options === null) return false;
  const { mask, where, by } = options as SelectedOptions;
  return mask !== undefined || where !== undefined || by !== undefined;
}

function hasAxes(options: object): options is ChannelAxesOptions {
  return (
    typeof options === "object" && options !== null && (options as { axes?: unknown }).axes !== undefined
  );
}

function isWeighted(options: unknown): options is WeightedHistogramOptions {
  return (
    typeof options === "object" &&
    options !== null &&
    (options as { weights?: unknown }).weights !== undefined
  );
}

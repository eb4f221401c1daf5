import { hasOption, loadedOnce, needsObject, ownOptions, type Talk } from "../base/index.ts";
import type { Countable, SegmentsInit } from "../input/index.ts";
import type { Grouped, Histogram, Segmented, Weighed, WeightedHistogram } from "../result/index.ts";
import type { ChannelAxesOptions } from "./channel-axes.ts";
import { DeviceEngine } from "./device-engine.ts";
import type { Groups, JointSource, SelectedOptions } from "./joint/options.ts";
import type { WeightedSelectedOptions } from "./joint/weigh.ts";
import type { HistogramOptions, Progress } from "./options.ts";
import { jointly } from "./parts.ts";
import type { Recipes } from "./recipes.ts";
import type { SegmentedOptions } from "./segmented-options.ts";
import type { SegmentedResident } from "./segmented-resident.ts";
import type { WeightedHistogramOptions } from "./weigh/weigh.ts";

// The first chunk holds the code for a first histogram. The engine loads these modules on first use.
const channelAxes = loadedOnce(() => import("./channel-axes.ts"));
const segmenting = loadedOnce(() => import("./segments.ts"));
const weighing = loadedOnce(() => import("./weigh/source.ts"));

/** The calls that count samples over one axis. */
export abstract class CountingEngine extends DeviceEngine {
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
      readonly mask?: null | undefined;
      readonly where?: null | undefined;
      readonly by?: null | undefined;
    },
  ): Promise<Weighed>;
  histogram(
    input: JointSource,
    options: WeightedSelectedOptions & { readonly by: Groups },
  ): Promise<Grouped<WeightedHistogram>>;
  histogram(
    input: JointSource,
    options: WeightedSelectedOptions & { readonly by?: null | undefined },
  ): Promise<WeightedHistogram>;
  histogram(
    input: JointSource,
    options: SelectedOptions & {
      readonly channel?: number;
      readonly by: Groups;
      readonly weights?: null | undefined;
    },
  ): Promise<Grouped>;
  histogram(
    input: Countable,
    options?: (HistogramOptions | SelectedOptions) & {
      readonly channel?: number;
      readonly by?: null | undefined;
      readonly weights?: null | undefined;
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
  ): Promise<Histogram | Grouped | WeightedHistogram | Grouped<WeightedHistogram>> {
    if (isSelected(options)) return this.#select(input as JointSource, ownOptions(options));
    if (isWeighted(options)) return this.#weigh(input, ownOptions(options));
    return this.#count(this.parts.one, input, options);
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
    options: SelectedOptions & { readonly channels?: readonly number[]; readonly by?: null | undefined },
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
      const own = ownOptions(options);
      return jointly(this.parts, own, ({ callEachSelected }, engine, talk) =>
        callEachSelected(engine, input as JointSource, own, talk),
      );
    }
    if (!hasAxes(options)) return this.#count(this.parts.each, input, options);
    return channelAxes().then(({ countOverAxes }) =>
      countOverAxes(this.parts, input, ownOptions(options), (of, over) =>
        this.#count(this.parts.each, of, over),
      ),
    );
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
    given: SegmentedOptions = {},
  ): Promise<Segmented | SegmentedResident> {
    const options = ownOptions(given);
    const host = this.parts.host;
    const jobs = this.parts.segmentJobs;
    return this.parts.lifecycle.run(options, async (talk) => {
      const { checkSegmentedOptions, countSegments, leaveSegments } = await segmenting();
      checkSegmentedOptions(options, host);
      const running = ownOptions({ ...options, ...talk });
      return this.parts.lifecycle.ownTurn(async () => {
        if (options.leave !== true) return countSegments(host, jobs, input, how, running);
        const left = await leaveSegments(host, jobs, input, how, running);
        this.parts.lifecycle.keep(left);
        return left;
      }, talk.signal);
    });
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
      return this.parts.calls.count(recipe, input, axis, talkOf(options));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Counts one channel with a mask, a list of indices, or groups. */
  #select(
    input: JointSource,
    options: (SelectedOptions | WeightedSelectedOptions) & { readonly channel?: number },
  ): Promise<Histogram | Grouped | WeightedHistogram | Grouped<WeightedHistogram>> {
    return jointly(this.parts, options, ({ callSelected }, engine, talk) =>
      callSelected(engine, input, options, talk),
    );
  }

  async #weigh(
    input: Countable,
    options: WeightedHistogramOptions & { readonly channel?: number },
  ): Promise<Weighed> {
    return this.parts.lifecycle.run(options, async (talk) => {
      const { checkWeightedOptions, weighSource } = await weighing();
      const weighted = checkWeightedOptions(options, this.parts.host);
      return this.parts.lifecycle.ownTurn(
        () => weighSource(this.parts.host, this.parts.jobs, input, ownOptions({ ...weighted, ...talk })),
        talk.signal,
      );
    });
  }
}

needsObject(CountingEngine, "engine");

/** Returns true for options that leave samples out or group them. */
function isSelected(options: unknown): options is SelectedOptions {
  return hasOption(options, "mask") || hasOption(options, "where") || hasOption(options, "by");
}

function hasAxes(options: object): options is ChannelAxesOptions {
  return hasOption(options, "axes");
}

function isWeighted(options: unknown): options is WeightedHistogramOptions {
  return hasOption(options, "weights");
}

const NO_TALK: Talk<Progress> = Object.freeze(ownOptions({}));

/** Returns the options of a call that work while it runs. */
function talkOf(options: Talk<Progress>): Talk<Progress> {
  const [signal, progress] = [Object.hasOwn(options, "signal"), Object.hasOwn(options, "onProgress")];
  if (!signal && !progress) return NO_TALK;
  return {
    signal: signal ? options.signal : undefined,
    onProgress: progress ? options.onProgress : undefined,
  };
}

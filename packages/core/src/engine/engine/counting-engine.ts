import type { Axis, AxisOptions } from "../../axis/index.ts";
import { type CallControl, hasOption, loadedOnce, needsObject, ownOptions } from "../../base/index.ts";
import type { Countable, SegmentsInit } from "../../input/index.ts";
import type {
  Grouped,
  Histogram,
  CountedJointHistogram as JointHistogram,
  Segmented,
  Weighed,
  WeightedHistogram,
  WeightedJointHistogram,
} from "../../result/index.ts";
import type { Recipes } from "../jobs/recipes.ts";
import { imageBehind } from "../opened/image.ts";
import type { HistogramOptions, Progress } from "../options/options.ts";
import type { SegmentedOptions, WeightedSegmentedOptions } from "../options/segmented-options.ts";
import type {
  GivenWeights,
  Groups,
  JointColumnInput,
  PerWeights,
  SelectedOptions,
  WeightedHistogramOptions,
  WeightedSelectedOptions,
} from "../options/selection-options.ts";
import type { SegmentedResident } from "../run/segmented-resident.ts";
import type { ChannelAxesOptions } from "./channel-axes.ts";
import { DeviceEngine } from "./device-engine.ts";
import { runWith } from "./parts.ts";

// The first chunk holds the code for a first histogram. The engine loads these modules on first use.
const channelAxes = loadedOnce(() => import("./channel-axes.ts"));

/** Options of `segments` of several columns. */
interface OverAxes {
  /** One axis per column, or its `bins` and `range`. */
  readonly axes?: readonly (Axis | AxisOptions)[] | undefined;
}

/** The calls that count samples over one axis. */
export abstract class CountingEngine extends DeviceEngine {
  /**
   * Counts the samples of one channel. With `mask` or `where`, it counts some of the samples, and with `by` those of each
   * group. With `weights`, it also adds up the weights, and a list of columns of weights gives a list of results. Samples,
   * masks, groups and weights are in memory, on the device, in a stream or in a file.
   * @throws ERR_INPUT for several channels without `channel`. Use `histograms` to get one histogram per channel.
   */
  histogram<const W extends readonly GivenWeights[]>(
    input: Countable,
    options: WeightedSelectedOptions<W> & { readonly by: Groups },
  ): Promise<PerWeights<W, Grouped<WeightedHistogram>>>;
  histogram<const W extends readonly GivenWeights[]>(
    input: Countable,
    options: WeightedSelectedOptions<W> & { readonly by?: null | undefined },
  ): Promise<PerWeights<W, Weighed>>;
  histogram(
    input: Countable,
    options: WeightedSelectedOptions & { readonly by: Groups },
  ): Promise<Grouped<WeightedHistogram>>;
  histogram(
    input: Countable,
    options: WeightedSelectedOptions & { readonly by?: null | undefined },
  ): Promise<Weighed>;
  histogram(
    input: Countable,
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
    options: (
      | HistogramOptions
      | SelectedOptions
      | WeightedSelectedOptions<GivenWeights | readonly GivenWeights[]>
    ) & {
      readonly channel?: number;
    } = {},
  ): Promise<unknown> {
    if (!isGeneral(options)) return this.#count(this.parts.one, input, options as HistogramOptions);
    const own = ownOptions(options);
    return runWith(this.parts, own, async ({ histogramRequest, run, resultOf }, running, talk) => {
      const [counted] = await run(running, histogramRequest(running.opened, input, own as never), talk);
      return resultOf(counted!);
    });
  }

  /**
   * Counts each of the given interleaved channels, and returns one histogram per channel. Default: all channels. They
   * have one axis, or one axis each with `axes`. Both take one pass over the samples. `mask`, `where`, `by` and `weights`
   * are those of `histogram`, and apply to every channel. With a list of weights, each channel has a list of results.
   * @throws ERR_UNSUPPORTED for `axes` over samples that this thread converts first (64-bit integers, and samples of 32
   * and 64 bits over a circular axis).
   */
  histograms(input: Countable, options: ChannelAxesOptions): Promise<Histogram[]>;
  histograms<const W extends readonly GivenWeights[]>(
    input: Countable,
    options: WeightedHistogramOptions<W> & {
      readonly channels?: readonly number[];
      readonly by: Groups;
    },
  ): Promise<PerWeights<W, Grouped<WeightedHistogram>>[]>;
  histograms<const W extends readonly GivenWeights[]>(
    input: Countable,
    options: WeightedHistogramOptions<W> & {
      readonly channels?: readonly number[];
      readonly by?: null | undefined;
    },
  ): Promise<PerWeights<W, Weighed>[]>;
  histograms(
    input: Countable,
    options: WeightedHistogramOptions & { readonly channels?: readonly number[]; readonly by: Groups },
  ): Promise<Grouped<WeightedHistogram>[]>;
  histograms(
    input: Countable,
    options: WeightedHistogramOptions & {
      readonly channels?: readonly number[];
      readonly by?: null | undefined;
    },
  ): Promise<Weighed[]>;
  histograms(
    input: Countable,
    options: SelectedOptions & {
      readonly channels?: readonly number[];
      readonly by: Groups;
      readonly weights?: null | undefined;
    },
  ): Promise<Grouped[]>;
  histograms(
    input: Countable,
    options: SelectedOptions & {
      readonly channels?: readonly number[];
      readonly by?: null | undefined;
      readonly weights?: null | undefined;
    },
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
      | (WeightedHistogramOptions<GivenWeights | readonly GivenWeights[]> & {
          readonly channels?: readonly number[];
        })
      | ChannelAxesOptions = {},
  ): Promise<unknown> {
    const own = ownOptions(options);
    if (isGeneral(options)) {
      return runWith(this.parts, own, async ({ histogramsRequest, run, resultOf }, running, talk) => {
        const all = await run(running, histogramsRequest(running.opened, input, own as never), talk);
        return all.map((counted) => resultOf(counted));
      });
    }
    if (!hasOption(options, "axes")) return this.#count(this.parts.each, input, options as HistogramOptions);
    return channelAxes().then(({ countOverAxes }) =>
      countOverAxes(this.parts, input, own as ChannelAxesOptions, (of, over) =>
        this.#count(this.parts.each, of, over),
      ),
    );
  }

  /**
   * Counts each segment of the samples into its own row. Segments are thumbnails, tiles, or groups that lie together
   * in memory. `how` is `{ every: n }`, `{ offsets }` or `{ tiles: { width, height } }`, in pixels. The last segments
   * may be shorter, and segments may be empty. If the range of the data decides the axis, it is the range of all
   * samples. With `leave`, the counts stay on the device. With `weights`, or with several columns, the result is
   * `Grouped`: its groups are the segments. With a list of weights, there is one such result for each.
   * @throws ERR_INPUT for segments that do not fit the samples.
   * @throws ERR_UNSUPPORTED for a stream whose length is not known.
   */
  segments<const W extends readonly GivenWeights[]>(
    columns: readonly JointColumnInput[],
    how: SegmentsInit,
    options: Omit<WeightedSegmentedOptions<W>, keyof AxisOptions> & OverAxes,
  ): Promise<PerWeights<W, Grouped<WeightedJointHistogram>>>;
  segments<const W extends readonly GivenWeights[]>(
    input: Countable,
    how: SegmentsInit,
    options: WeightedSegmentedOptions<W> & { readonly channel?: number },
  ): Promise<PerWeights<W, Grouped<WeightedHistogram>>>;
  segments(
    columns: readonly JointColumnInput[],
    how: SegmentsInit,
    options: Omit<WeightedSegmentedOptions, keyof AxisOptions> & OverAxes,
  ): Promise<Grouped<WeightedJointHistogram>>;
  segments(
    input: Countable,
    how: SegmentsInit,
    options: WeightedSegmentedOptions & { readonly channel?: number },
  ): Promise<Grouped<WeightedHistogram>>;
  segments(
    columns: readonly JointColumnInput[],
    how: SegmentsInit,
    options: Pick<SegmentedOptions, "mask" | "where" | "signal" | "onProgress" | "timings" | "algorithm"> &
      OverAxes & { readonly weights?: undefined },
  ): Promise<Grouped<JointHistogram>>;
  segments(
    input: Countable,
    how: SegmentsInit,
    options: SegmentedOptions & { readonly leave: true; readonly weights?: undefined },
  ): Promise<SegmentedResident>;
  segments(
    input: Countable,
    how: SegmentsInit,
    options?: SegmentedOptions & { readonly leave?: false | undefined; readonly weights?: undefined },
  ): Promise<Segmented>;
  segments(
    input: Countable,
    how: SegmentsInit,
    options?: SegmentedOptions & { readonly weights?: undefined },
  ): Promise<Segmented | SegmentedResident>;
  segments(
    input: Countable | readonly JointColumnInput[],
    how: SegmentsInit,
    given: object = {},
  ): Promise<unknown> {
    const options: SegmentedOptions = ownOptions(given);
    const { opened, lifecycle } = this.parts;
    return runWith(
      this.parts,
      options,
      async ({ leaveSegments, resultOf, run, segmentsRequest }, running, talk) => {
        const cut = { how, imageOf: (of: Countable) => imageBehind(opened, of) };
        const request = segmentsRequest(opened, input, options as never, cut);
        if (options.leave === true) {
          const left = await leaveSegments(running, request, talk);
          lifecycle.keep(left);
          return left;
        }
        const [counted] = await run(running, request, talk);
        return resultOf(counted!, options.into);
      },
    );
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
}

needsObject(CountingEngine, "engine");

const GENERAL = ["weights", "mask", "where", "by"] as const;

/** Returns true for options of a call that is no plain count of channels. */
function isGeneral(options: unknown): boolean {
  return GENERAL.some((name) => hasOption(options, name));
}

const NO_TALK: CallControl<Progress> = Object.freeze(ownOptions({}));

/** Returns the options of a call that work while it runs. */
function talkOf(options: CallControl<Progress>): CallControl<Progress> {
  const [signal, progress] = [Object.hasOwn(options, "signal"), Object.hasOwn(options, "onProgress")];
  if (!signal && !progress) return NO_TALK;
  return {
    signal: signal ? options.signal : undefined,
    onProgress: progress ? options.onProgress : undefined,
  };
}

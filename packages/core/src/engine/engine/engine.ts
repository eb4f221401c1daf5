import { loadedOnce, needsObject, ownOptions } from "../../base/index.ts";
import type { Countable } from "../../input/index.ts";
import type { ChannelsPlan, Plan } from "../../plan/index.ts";
import type {
  Grouped,
  Histogram,
  JointHistogram,
  WeightedHistogram,
  WeightedJointHistogram,
} from "../../result/index.ts";
import type { Counter } from "../counter/counter.ts";
import type { CountRequest, Explanation, PlainRequest } from "../explain.ts";
import type { PrepareOptions } from "../options/options.ts";
import type {
  GivenWeights,
  Groups,
  JointColumnInput,
  JointOptions,
  PerWeights,
  WeightedJointOptions,
} from "../options/selection-options.ts";
import type { JointCounter } from "../run/columns-counter.ts";
import type {
  GroupsRequest,
  JointColumnRequest,
  JointPrepareOptions,
  WeightType,
} from "../run/columns-request.ts";
import { CountingEngine } from "./counting-engine.ts";
import { runningOf, runWith } from "./parts.ts";

// The first chunk holds the code for a first histogram. The engine loads these modules on first use.
const counters = loadedOnce(() => import("../counter/prepare-counter.ts"));
const explaining = loadedOnce(() => import("../explain.ts"));

/** The result of a counter's call. */
type Prepared<O extends JointPrepareOptions> = O extends {
  readonly weights: infer W extends readonly WeightType[];
}
  ? PerWeights<W, Weighted<O>>
  : O extends { readonly weights: string }
    ? Weighted<O>
    : PerRow<O, IsOne<O> extends true ? Histogram : JointHistogram>;

type Weighted<O> = PerRow<O, IsOne<O> extends true ? WeightedHistogram : WeightedJointHistogram>;

type IsOne<O> = O extends { readonly columns: readonly [JointColumnRequest] } ? true : false;

type PerRow<
  O,
  One extends Histogram | JointHistogram | WeightedHistogram | WeightedJointHistogram,
> = O extends {
  readonly by: GroupsRequest;
}
  ? Grouped<One>
  : One;

/** Counts samples on an open backend. You can make many calls at once. */
export class Engine extends CountingEngine {
  /**
   * Prepares repeated calls of one kind. It checks their options, lowers their axis and builds their kernels once.
   * With `channels`, each call returns one histogram per channel. With `columns`, each call counts columns together, as
   * `joint` does, with a mask, with groups (`by`) and with weights.
   * @throws ERR_AXIS for floats and 32-bit integers without an axis or a range, because the data would have to be
   * read first.
   * @throws everything that `histogram` throws for its options.
   */
  prepare<const O extends JointPrepareOptions>(options: O): Promise<JointCounter<Prepared<O>>>;
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
  ): Promise<unknown> {
    const own = ownOptions(options);
    if (isJoint(own)) {
      return runWith(this.parts, {}, async ({ prepareColumns }, running) => prepareColumns(running, own));
    }
    return this.parts.lifecycle.run({}, async () => {
      const { prepareCounter } = await counters();
      return prepareCounter(this.parts.calls, this.parts.jobs, own);
    });
  }

  /**
   * Counts how often values of several columns occur together. The columns are 2 to 6 arrays or residents with the same
   * number of samples, streams or files, or `channels` of one input. Each has an axis, and every combination of bins is a
   * cell. With `by`, it returns the result of each group, and with `weights` it also adds up the weights. A list of
   * columns of weights gives a list of results.
   * @throws ERR_INPUT for columns of different lengths, an invalid mask, or codes outside the groups.
   * @throws ERR_LIMIT for more cells than the device can hold: 2^24 in tables, 2^26 in the global memory of a GPU.
   * @throws ERR_AXIS if the data of a stream would decide its axis.
   */
  joint<const W extends readonly GivenWeights[]>(
    columns: Countable | readonly JointColumnInput[],
    options: WeightedJointOptions<W> & { readonly by: Groups },
  ): Promise<PerWeights<W, Grouped<WeightedJointHistogram>>>;
  joint<const W extends readonly GivenWeights[]>(
    columns: Countable | readonly JointColumnInput[],
    options: WeightedJointOptions<W> & { readonly by?: null | undefined },
  ): Promise<PerWeights<W, WeightedJointHistogram>>;
  joint(
    columns: Countable | readonly JointColumnInput[],
    options: WeightedJointOptions & { readonly by: Groups },
  ): Promise<Grouped<WeightedJointHistogram>>;
  joint(
    columns: Countable | readonly JointColumnInput[],
    options: WeightedJointOptions & { readonly by?: null | undefined },
  ): Promise<WeightedJointHistogram>;
  joint(
    columns: Countable | readonly JointColumnInput[],
    options: JointOptions & { readonly by: Groups; readonly weights?: null | undefined },
  ): Promise<Grouped<JointHistogram>>;
  joint(
    columns: Countable | readonly JointColumnInput[],
    options?: JointOptions & { readonly by?: null | undefined; readonly weights?: null | undefined },
  ): Promise<JointHistogram>;
  joint(
    columns: Countable | readonly JointColumnInput[],
    options: JointOptions & { readonly weights?: null | undefined },
  ): Promise<JointHistogram | Grouped<JointHistogram>>;
  joint(
    columns: Countable | readonly JointColumnInput[],
    options: WeightedJointOptions,
  ): Promise<WeightedJointHistogram | Grouped<WeightedJointHistogram>>;
  joint(
    columns: Countable | readonly JointColumnInput[],
    options: JointOptions | WeightedJointOptions<GivenWeights | readonly GivenWeights[]> = {},
  ): Promise<unknown> {
    const own = ownOptions(options);
    return runWith(this.parts, own, async ({ jointRequest, resultOf, run }, running, talk) => {
      const [counted] = await run(running, jointRequest(running.opened, columns, own as never), talk);
      return resultOf(counted!);
    });
  }

  /**
   * Returns the plan of a request, or a sentence that states why there is none. Null: this process's thread adds up. It
   * counts nothing.
   * @throws ERR_INPUT or ERR_LIMIT for an invalid request.
   * @throws ERR_AXIS if the data would decide the axis.
   */
  supports(request: PlainRequest): Promise<ChannelsPlan | string>;
  supports(request: CountRequest): Promise<Plan | string | null>;
  supports(request: CountRequest): Promise<Plan | string | null> {
    return this.#ask(async ({ supports }) => supports(await runningOf(this.parts), ownOptions(request)));
  }

  /**
   * Explains how a request would be counted: the portable plan, the device's part of it, and what this process's thread
   * prepares. It counts nothing.
   * @throws ERR_UNSUPPORTED, with the sentence of `supports`, if the backend cannot count it.
   * @throws ERR_INPUT, ERR_LIMIT and ERR_AXIS as `supports`.
   * @throws ERR_UNAVAILABLE after `close`.
   */
  explain(request: PlainRequest): Promise<Explanation<ChannelsPlan>>;
  explain(request: CountRequest): Promise<Explanation>;
  explain(request: CountRequest): Promise<Explanation> {
    return this.#ask(async ({ explain }) => explain(await runningOf(this.parts), ownOptions(request)));
  }

  #ask<T>(work: (module: typeof import("../explain.ts")) => Promise<T>): Promise<T> {
    return this.parts.lifecycle.run({}, async () => work(await explaining()));
  }
}

needsObject(Engine, "engine");

/** Returns true for the options of a counter of several columns. */
function isJoint(options: unknown): options is JointPrepareOptions {
  return typeof options === "object" && options !== null && "columns" in options;
}

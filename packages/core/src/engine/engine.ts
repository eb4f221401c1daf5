import { loadedOnce, needsObject, ownOptions } from "../base/index.ts";
import type { CellsPlan, ChannelsPlan } from "../plan/index.ts";
import type { Grouped, Histogram, JointHistogram, WeightedJointHistogram } from "../result/index.ts";
import type { Counter } from "./counter.ts";
import { CountingEngine } from "./counting-engine.ts";
import { type CountRequest, type Explanation, explain, supports } from "./explain.ts";
import type { JointCounter, JointPrepareOptions } from "./joint/counter.ts";
import type { JointCountRequest, JointExplanation } from "./joint/explain.ts";
import type { Groups, JointColumnInput, JointOptions, JointSource } from "./joint/options.ts";
import type { WeightedJointOptions } from "./joint/weigh.ts";
import type { PrepareOptions } from "./options.ts";
import { jointly } from "./parts.ts";

// The first chunk holds the code for a first histogram. The engine loads these modules on first use.
const counters = loadedOnce(() => import("./prepare-counter.ts"));

/** Counts samples on an open backend. You can make many calls at once. */
export class Engine extends CountingEngine {
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
    const own = ownOptions(options);
    if (isJoint(own)) {
      return jointly(this.parts, {}, async ({ prepareJointCounter }, engine) =>
        prepareJointCounter(engine, own),
      );
    }
    return this.parts.lifecycle.run({}, async () => {
      const { prepareCounter } = await counters();
      return prepareCounter(this.parts.calls, this.parts.jobs, own);
    });
  }

  /**
   * Counts how often values of several columns occur together. The columns are 2 to 6 arrays or residents with the same
   * number of samples, or `channels` of one input. Each has an axis, and every combination of bins is a cell. With `by`,
   * it returns the result of each group.
   * @throws ERR_INPUT for columns of different lengths, an invalid mask, or codes outside the groups.
   * @throws ERR_LIMIT for more cells than the device can hold: 2^24 in tables, 2^26 in the global memory of a GPU.
   * Columns may be streams or, in Node, files (`fileSamples`), which are read piece by piece, without a mask, a list or
   * groups.
   * @throws ERR_UNSUPPORTED if the backend does not count several columns.
   */
  joint(
    columns: JointSource | readonly JointColumnInput[],
    options: WeightedJointOptions & { readonly by: Groups },
  ): Promise<Grouped<WeightedJointHistogram>>;
  joint(
    columns: JointSource | readonly JointColumnInput[],
    options: WeightedJointOptions & { readonly by?: null | undefined },
  ): Promise<WeightedJointHistogram>;
  joint(
    columns: JointSource | readonly JointColumnInput[],
    options: JointOptions & { readonly by: Groups; readonly weights?: null | undefined },
  ): Promise<Grouped<JointHistogram>>;
  joint(
    columns: JointSource | readonly JointColumnInput[],
    options?: JointOptions & { readonly by?: null | undefined; readonly weights?: null | undefined },
  ): Promise<JointHistogram>;
  joint(
    columns: JointSource | readonly JointColumnInput[],
    options: JointOptions & { readonly weights?: null | undefined },
  ): Promise<JointHistogram | Grouped<JointHistogram>>;
  joint(
    columns: JointSource | readonly JointColumnInput[],
    options: WeightedJointOptions,
  ): Promise<WeightedJointHistogram | Grouped<WeightedJointHistogram>>;
  joint(
    columns: JointSource | readonly JointColumnInput[],
    options: JointOptions | WeightedJointOptions = {},
  ): Promise<
    JointHistogram | Grouped<JointHistogram> | WeightedJointHistogram | Grouped<WeightedJointHistogram>
  > {
    const own = ownOptions(options);
    return jointly(this.parts, own, ({ callJoint }, engine, talk) => callJoint(engine, columns, own, talk));
  }

  /**
   * Returns the plan of a request, or a sentence that states why there is none. It counts nothing.
   * @throws ERR_INPUT for an invalid request.
   * @throws ERR_AXIS if the data would decide the axis.
   */
  supports(request: CountRequest): ChannelsPlan | string {
    return supports(this.parts.host, this.parts.jobs, ownOptions(request));
  }

  /**
   * Explains how a request would be counted: the portable plan and the device's part of it, as data and as text. It
   * counts nothing.
   * @throws ERR_UNSUPPORTED, with the sentence of `supports`, if the backend cannot count it.
   * @throws ERR_INPUT and ERR_AXIS as `supports`.
   * @throws ERR_UNAVAILABLE after `close`.
   */
  explain(request: CountRequest): Explanation {
    return this.parts.lifecycle.ask(() =>
      explain(this.parts.host, this.parts.jobs, this.parts.segmentJobs, ownOptions(request)),
    );
  }

  /**
   * Returns the plan of a joint histogram, or of a histogram with a mask or groups, or a sentence that states why there
   * is none. It counts nothing.
   * @throws ERR_INPUT, ERR_AXIS or ERR_LIMIT for an invalid request.
   */
  supportsJoint(request: JointCountRequest): Promise<CellsPlan | string> {
    return jointly(this.parts, {}, async ({ supportsJoint }, { host, jobs }) =>
      supportsJoint(host, jobs, ownOptions(request)),
    );
  }

  /**
   * Explains how a joint histogram, or a histogram with a mask or groups, would be counted: the portable plan and the
   * device's part of it. It counts nothing.
   * @throws ERR_UNSUPPORTED, with the sentence of `supportsJoint`, if the backend cannot count it.
   * @throws ERR_INPUT, ERR_AXIS or ERR_LIMIT for an invalid request.
   */
  explainJoint(request: JointCountRequest): Promise<JointExplanation> {
    return jointly(this.parts, {}, async ({ explainJoint }, { host, jobs }) =>
      explainJoint(host, jobs, ownOptions(request)),
    );
  }
}

needsObject(Engine, "engine");

/** Returns true for the options of a counter of several columns. */
function isJoint(options: unknown): options is JointPrepareOptions {
  return typeof options === "object" && options !== null && "columns" in options;
}

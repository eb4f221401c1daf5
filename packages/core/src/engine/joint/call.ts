import { ownOptions, type Talk } from "../../base/index.ts";
import type {
  CountedJointHistogram,
  Grouped,
  Histogram,
  WeightedHistogram,
  WeightedJointHistogram,
} from "../../result/index.ts";
import type { Host } from "../host.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Progress } from "../options.ts";
import { countColumns, countEachSelected, countSelected } from "./count.ts";
import type { JointJobs } from "./jobs.ts";
import {
  checkJointOptions,
  checkSelectedOptions,
  type JointColumnInput,
  type JointOptions,
  type JointSource,
  type SelectedOptions,
} from "./options.ts";
import { channelsOfFile, isPiecewise } from "./piece-readers.ts";
import { countStreams } from "./stream.ts";
import type { WeightedJointOptions, WeightedSelectedOptions } from "./weigh.ts";
import { weighing } from "./weighing.ts";

/** The open engine, as a call of several columns, a mask or groups sees it. */
export interface JointEngine {
  readonly host: Host;
  readonly jobs: JointJobs;
  readonly lifecycle: Lifecycle;
}

/** Counts columns, or weighs them. @throws ERR_INPUT, ERR_LIMIT, ERR_UNSUPPORTED */
export async function callJoint(
  { host, jobs, lifecycle }: JointEngine,
  columns: JointSource | readonly JointColumnInput[],
  options: JointOptions | WeightedJointOptions,
  talk: Talk<Progress>,
): Promise<
  | CountedJointHistogram
  | Grouped<CountedJointHistogram>
  | WeightedJointHistogram
  | Grouped<WeightedJointHistogram>
> {
  const given = ownOptions({ ...options, ...talk });
  if (hasWeights(given)) {
    const { weighColumns } = await weighing();
    return lifecycle.ownTurn(() => weighColumns(host, jobs, columns, given), talk.signal);
  }
  checkJointOptions(options as JointOptions, host);
  const { channels, ...rest } = given as JointOptions;
  const ofFile = channelsOfFile(columns, channels);
  if (ofFile !== null) return countStreams(host, jobs, lifecycle, ofFile, rest);
  return Array.isArray(columns) && columns.some(isPiecewise)
    ? countStreams(host, jobs, lifecycle, columns, given)
    : lifecycle.ownTurn(() => countColumns(host, jobs, columns, given), talk.signal);
}

/** Counts one channel with a mask, a list of indices, or groups, or weighs it. @throws as `callJoint` */
export async function callSelected(
  { host, jobs, lifecycle }: JointEngine,
  input: JointSource,
  options: (SelectedOptions | WeightedSelectedOptions) & { readonly channel?: number },
  talk: Talk<Progress>,
): Promise<Histogram | Grouped | WeightedHistogram | Grouped<WeightedHistogram>> {
  const given = ownOptions({ ...options, ...talk });
  if (hasWeights(given)) {
    const { weighSelected } = await weighing();
    return lifecycle.ownTurn(() => weighSelected(host, jobs, input, given), talk.signal);
  }
  checkSelectedOptions(options as SelectedOptions, host, "channel");
  return lifecycle.ownTurn(() => countSelected(host, jobs, input, given as SelectedOptions), talk.signal);
}

/** Counts each channel as `callSelected` does. @throws as `callJoint` */
export async function callEachSelected(
  { host, jobs, lifecycle }: JointEngine,
  input: JointSource,
  options: SelectedOptions & { readonly channels?: readonly number[] },
  talk: Talk<Progress>,
): Promise<Histogram[] | Grouped[]> {
  checkSelectedOptions(options, host, "channels");
  const given = ownOptions({ ...options, ...talk });
  return lifecycle.ownTurn(() => countEachSelected(host, jobs, input, given), talk.signal);
}

function hasWeights<T extends object>(
  options: T,
): options is T & WeightedJointOptions & WeightedSelectedOptions {
  return (options as { readonly weights?: unknown }).weights !== undefined;
}

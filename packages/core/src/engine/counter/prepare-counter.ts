import { axisUnread } from "../../axis/index.ts";
import { checkNames, checkSwitch, expected, MAX_SAMPLES, PolybinError } from "../../base/index.ts";
import { type Channels, checkedChannels, INPUT_TYPES } from "../../input/index.ts";
import type { Histogram } from "../../result/index.ts";
import type { Jobs } from "../jobs/prepare.ts";
import { type Asked, Recipe } from "../jobs/recipe.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import { checkCounting, countingNames, type PrepareOptions } from "../options/options.ts";
import type { Calls } from "./calls.ts";
import { Counter } from "./counter.ts";

const PREPARE_NAMES = ["type", "interleaved", "channel", "channels", "timings"];

/** Checks the options of `prepare`. @throws ERR_INPUT, ERR_UNSUPPORTED. */
function checkPrepareOptions<T extends PrepareOptions>(options: T, opened: OpenBackend): T {
  checkNames(options, [...PREPARE_NAMES, ...countingNames(opened)]);
  checkCounting(options, opened);
  checkSwitch(options.timings, "timings");
  return options;
}

type Options = PrepareOptions & {
  readonly channel?: number | undefined;
  readonly channels?: readonly number[] | undefined;
};

/**
 * Creates a counter from its options. It plans for the maximum number of samples, which shows whether the device can
 * count them and lets the device start to build its kernels.
 * @throws ERR_INPUT, ERR_AXIS, ERR_UNSUPPORTED
 */
export async function prepareCounter(
  calls: Calls,
  jobs: Jobs,
  options: Options,
): Promise<Counter | Counter<Histogram[]>> {
  const {
    type = "u8",
    interleaved = 1,
    channel,
    channels,
    axis: _,
    bins: __,
    range: ___,
    ...rest
  } = checkPrepareOptions(options, calls.opened);
  if (!INPUT_TYPES.includes(type)) {
    throw expected("ERR_INPUT", "type", `one of ${INPUT_TYPES.join(", ")}`, type);
  }
  checkedChannels(interleaved, "interleaved");
  if (channel !== undefined && channels !== undefined) {
    throw new PolybinError("ERR_INPUT", "expected either channel or channels but received both");
  }
  const why = "a counter needs its axis before it reads samples";
  const axis = axisUnread(type, options, `a counter of ${type}`, why);
  const asked: Asked = { ...rest, type, interleaved, axis };
  const counter = async <R>(which: Channels, as: (all: Histogram[]) => R): Promise<Counter<R>> => {
    const recipe = new Recipe(jobs, asked, which, as);
    const any = recipe.planOver({ type, channels: interleaved, pixels: MAX_SAMPLES }, axis);
    if (any.job.lowering.kind !== "constant") await any.job.prepared().ready?.();
    return new Counter(calls, recipe, any);
  };
  if (channels === undefined) return counter(channel === undefined ? "only" : { channel }, (all) => all[0]!);
  return counter(Array.isArray(channels) ? Object.freeze([...channels]) : channels, (all) => all);
}

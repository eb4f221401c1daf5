import { type AxisOptions, checkAxisOptions } from "../../axis/index.ts";
import { checkNames, checkSwitch, ownOptions, PolybinError } from "../../base/index.ts";
import type { Countable, Cuttable, SegmentsInit } from "../../input/index.ts";
import type { OpenBackend } from "../opened/open-backend.ts";
import { AXIS_NAMES, checkCounting, checkProgress, SHAPE_NAMES, TALK_NAMES } from "../options/options.ts";
import {
  checkSegmentedSwitches,
  SEGMENTED_NAMES,
  type SegmentedOptions,
} from "../options/segmented-options.ts";
import {
  type GivenWeights,
  type JointColumnInput,
  SELECTION_NAMES,
  type Selection,
} from "../options/selection-options.ts";
import {
  checkWeighting,
  isComposedSlug,
  WEIGHTING_OPTIONS,
  type WeightingOptions,
} from "../options/weighting-options.ts";
import type { Columns, Request, Rows } from "./inputs/request.ts";
import { checkWeightColumns, isWeightList, weightColumns } from "./inputs/weights.ts";

/** The options of any call, as far as they are checked here. */
export interface CallOptions extends Selection, WeightingOptions {
  readonly weights?: GivenWeights | readonly GivenWeights[] | null | undefined;
  readonly timings?: boolean | undefined;
  readonly channel?: number | undefined;
  readonly channels?: readonly number[] | undefined;
  readonly axes?: Columns["axes"];
  readonly type?: never;
}

/**
 * Checks every name and simple value of a call's options, in one place for all calls.
 * @param own names that only this call has
 * @throws ERR_INPUT, ERR_UNSUPPORTED, ERR_AXIS
 */
function checkCall(options: CallOptions, own: readonly string[], opened: OpenBackend): void {
  const isWeighted = options.weights !== undefined;
  const how = isWeighted
    ? [...WEIGHTING_OPTIONS, ...opened.weightedParameters]
    : ["algorithm", ...opened.parameters];
  checkNames(options, [...own, "weights", ...how, ...SELECTION_NAMES, "timings", ...TALK_NAMES]);
  checkProgress(options.onProgress);
  checkSwitch(options.timings, "timings");
  if (own.includes("bins")) checkAxisOptions(options as AxisOptions);
  if (!isWeighted) {
    checkCounting({ algorithm: options.algorithm }, opened);
    return;
  }
  checkWeighting(options, opened);
  if (isWeightList(options.weights)) checkWeightColumns(options.weights.length);
  const { algorithm = "auto" } = options;
  if (!isComposedSlug(algorithm, opened)) return;
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `${algorithm} measures a table's features before it chooses: name another algorithm, or use engine.table`,
    { algorithm },
  );
}

/** Returns the part of a request that is the same in all calls. */
function requestOf(columns: Columns, least: number, options: CallOptions, rows?: Rows): Request {
  const { mask, where, by, weights, signal: _, onProgress: __, ...rest } = options;
  return {
    columns,
    least,
    select: { mask, where },
    rows: rows ?? (by ? { kind: "groups", by } : { kind: "one" }),
    sums: weights === undefined || weights === null ? null : { ...weightColumns(weights), options: rest },
    choice: rest,
    timings: options.timings === true,
  };
}

/** Returns the options of an axis among those of a call. */
function axisIn(options: CallOptions): AxisOptions {
  const { axis, bins, range, nice } = options as AxisOptions;
  return ownOptions({ axis, bins, range, nice } as AxisOptions);
}

/** Returns an input with what a call says of it. */
function inputIn(input: Countable, options: CallOptions) {
  const { type, interleaved, bytes } = options as Pick<JointShape, "type" | "interleaved" | "bytes">;
  return { input, type, interleaved, bytes };
}

type JointShape = Exclude<JointColumnInput, Countable>;

/** Returns the request of `histogram`. @throws as `checkCall` */
export function histogramRequest(opened: OpenBackend, input: Countable, options: CallOptions): Request {
  checkCall(options, ["channel", ...AXIS_NAMES, ...SHAPE_NAMES], opened);
  const { channel } = options;
  const which = channel === undefined ? "only" : { channel };
  return requestOf(
    { kind: "each", input: inputIn(input, options), which, axis: axisIn(options) },
    1,
    options,
  );
}

/** Returns the request of `histograms`. @throws as `checkCall` */
export function histogramsRequest(opened: OpenBackend, input: Countable, options: CallOptions): Request {
  checkCall(options, ["channels", "axes", ...AXIS_NAMES, ...SHAPE_NAMES], opened);
  const { axes, channels: which = "all" } = options;
  const axis = axisIn(options);
  const other = (["axis", "bins", "range", "nice"] as const).find((name) => axis[name] !== undefined);
  if (axes !== undefined && other !== undefined) {
    throw new PolybinError("ERR_INPUT", `expected either axes or ${other} but received both`);
  }
  const columns = { kind: "each", input: inputIn(input, options), which, axis } as const;
  return requestOf(axes === undefined ? columns : { ...columns, axes: axes as never }, 1, options);
}

/** Returns the request of `joint`. @throws as `checkCall` */
export function jointRequest(
  opened: OpenBackend,
  given: Countable | readonly JointColumnInput[],
  options: CallOptions,
): Request {
  checkCall(options, ["axes", "channels"], opened);
  const { axes, channels } = options;
  if (!isColumns(given)) {
    return requestOf({ kind: "channels", input: given, which: channels ?? "all", axes }, 2, options);
  }
  if (channels !== undefined) {
    throw new PolybinError("ERR_INPUT", "expected either an array of columns or channels but received both");
  }
  return requestOf({ kind: "inputs", inputs: given, axes }, 2, options);
}

/** Returns the request of `segments`. @throws as `checkCall` */
export function segmentsRequest(
  opened: OpenBackend,
  given: Countable | readonly JointColumnInput[],
  options: CallOptions & SegmentedOptions,
  { how, imageOf }: { readonly how: SegmentsInit; readonly imageOf: (input: Countable) => Cuttable["image"] },
): Request {
  const isList = isColumns(given);
  const own = isList ? ["axes"] : ["channel", ...AXIS_NAMES, ...SHAPE_NAMES];
  checkCall(options as CallOptions, [...own, ...SEGMENTED_NAMES], opened);
  checkSegmentedSwitches(options);
  const { channel, axes, into, leave = false, by, weights } = options;
  if (by) {
    const why = "groups and segments are both rows of a result";
    throw new PolybinError("ERR_UNSUPPORTED", `expected either by or segments but received both: ${why}`);
  }
  if ((isList || weights) && (leave || into !== undefined)) {
    const name = leave ? "leave" : "into";
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected counts of one column with ${name}: leave ${name} out`,
    );
  }
  const rows: Rows = { kind: "segments", how, imageOf, into, leave };
  if (isList) return requestOf({ kind: "inputs", inputs: given, axes }, 1, options as CallOptions, rows);
  const which = channel === undefined ? "only" : { channel };
  const input = inputIn(given, options as CallOptions);
  return requestOf(
    { kind: "each", input, which, axis: axisIn(options as CallOptions) },
    1,
    options as CallOptions,
    rows,
  );
}

/** Returns true for a list of columns. A list of numbers is a column itself. */
function isColumns(given: unknown): given is readonly JointColumnInput[] {
  return Array.isArray(given) && !given.every((one) => typeof one === "number");
}

import type { AlgorithmParameters, Slug, SumsParameters, WeightedSlug } from "../../algorithms/index.ts";
import { type Axis, checkedAxis } from "../../axis/index.ts";
import { kindsOf } from "../../backend/index.ts";
import { checkNames, checkSwitch, expected, MAX_SAMPLES } from "../../base/index.ts";
import {
  checkedChannels,
  checkedWhole,
  INPUT_TYPES,
  SAMPLE_TRAITS,
  type SampleType,
} from "../../input/index.ts";
import type { Precision } from "../../weights/index.ts";
import { type ColumnShape, groupAxis } from "../cells-jobs.ts";
import { checkCounting } from "../options.ts";
import { checkWeighting } from "../weighting-options.ts";
import { JointCounter } from "./columns-counter.ts";
import { checkColumns } from "./open-call.ts";
import type { Running } from "./run.ts";
import { checkedGroups } from "./selection.ts";

/** A column of a joint histogram without its samples. */
export interface JointColumnRequest {
  /** Sample type of the column. */
  readonly type: SampleType;
  /** Axis of the column. */
  readonly axis: Axis;
  /** Interleaved samples per pixel of the column's input. Default: 1. */
  readonly interleaved?: number | undefined;
  /** The channel that is counted. Default: 0. */
  readonly channel?: number | undefined;
}

/** Type of the codes of groups, and the number of groups. */
export interface GroupsRequest {
  readonly type: SampleType;
  readonly groups: number;
}

/** Options of `prepare` for columns. */
export interface JointPrepareOptions extends AlgorithmParameters, SumsParameters {
  /** Type and axis of each column. */
  readonly columns: readonly JointColumnRequest[];
  /** The groups of the samples. Each call then returns one result per group. Default: no groups. */
  readonly by?: GroupsRequest | undefined;
  /** Type of the weights that are added up. Default: samples are counted. */
  readonly weights?: "f32" | "f64" | undefined;
  /** How weights are added up. Default: "reproducible". */
  readonly precision?: Precision | undefined;
  /** Whether to add up the squares of the weights too. Default: false. */
  readonly squares?: boolean | undefined;
  /** The algorithm's slug. Default: "auto". */
  readonly algorithm?: Slug | WeightedSlug | "auto" | (string & {}) | undefined;
  /** Whether to measure how long each call takes. Otherwise the results' `timings` are null. Default: false. */
  readonly timings?: boolean | undefined;
}

/**
 * Creates a counter of columns. It plans for the maximum number of samples, which shows whether the device can count them
 * and lets the device start to build its kernels.
 * @throws ERR_INPUT, ERR_AXIS, ERR_LIMIT, ERR_UNSUPPORTED
 */
export async function prepareColumns(running: Running, options: JointPrepareOptions): Promise<JointCounter> {
  const { host, cellsJobs } = running;
  const { columns, by, weights, precision, squares, timings, ...choice } = options;
  const parameters =
    weights === undefined ? host.parameters : [...host.weightedParameters, "precision", "squares"];
  checkNames(options, ["columns", "by", "weights", "algorithm", "timings", ...parameters]);
  const weighting = { ...choice, precision, squares };
  if (weights === undefined) checkCounting({ algorithm: choice.algorithm }, host);
  else if (weights === "f32" || weights === "f64") checkWeighting(weighting, host);
  else throw expected("ERR_INPUT", "weights", "f32 or f64", weights);
  checkSwitch(timings, "timings");
  if (!Array.isArray(columns)) throw expected("ERR_INPUT", "columns", "an array of columns", columns);
  checkColumns(columns.length, 1, by !== undefined);
  const own = columns.map((column, k) => columnOf(column, `columns[${k}]`));
  const all = by === undefined ? own : [groupsColumn(by), ...own];
  if (weights !== undefined) cellsJobs.onHost(all);
  else if (kindsOf(host.device).includes("cells")) {
    const shape = { columns: all, samples: MAX_SAMPLES, mask: "none", listed: false } as const;
    await cellsJobs.of(shape, choice).prepared();
  }
  return new JointCounter(running, { columns: own, options, weighting });
}

/** Checks a column without its samples. @throws ERR_INPUT, ERR_AXIS */
export function columnOf(column: JointColumnRequest, name: string): ColumnShape {
  checkNames(column, ["type", "axis", "interleaved", "channel"], { of: name });
  const { type, axis, interleaved = 1, channel = 0 } = column;
  checkType(type, `${name}.type`);
  checkedChannels(interleaved, `${name}.interleaved`);
  checkedWhole(channel, `${name}.channel`, 0, interleaved - 1);
  return { type, axis: checkedAxis(axis), interleaved, channel };
}

/** Returns the column of groups. @throws ERR_INPUT, ERR_LIMIT */
export function groupsColumn(by: GroupsRequest): ColumnShape {
  checkNames(by, ["type", "groups"], { of: "by" });
  checkType(by.type, "by.type");
  if (!SAMPLE_TRAITS[by.type].integer) throw expected("ERR_INPUT", "by.type", "an integer type", by.type);
  return { type: by.type, axis: groupAxis(checkedGroups(by.groups)), interleaved: 1, channel: 0 };
}

/** @throws ERR_INPUT */
export function checkType(type: SampleType, name: string): void {
  if (!INPUT_TYPES.includes(type))
    throw expected("ERR_INPUT", name, `one of ${INPUT_TYPES.join(", ")}`, type);
}

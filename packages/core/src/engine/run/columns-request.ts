import type { AlgorithmParameters, Slug, SumsParameters, WeightedSlug } from "../../algorithms/index.ts";
import { type Axis, checkedAxis } from "../../axis/index.ts";
import { checkNames, expected } from "../../base/index.ts";
import {
  checkedChannels,
  checkedWhole,
  INPUT_TYPES,
  SAMPLE_TRAITS,
  type SampleType,
} from "../../input/index.ts";
import type { Precision } from "../../weights/index.ts";
import { type ColumnShape, groupAxis } from "../jobs/cells-jobs.ts";
import { checkedGroups } from "./inputs/selection.ts";
import { checkWeightColumns } from "./inputs/weights.ts";

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
  /**
   * Type of the weights that are added up, or a list of types. With a list, each call takes a list of columns and returns a
   * list of results. Default: samples are counted.
   */
  readonly weights?: WeightType | readonly WeightType[] | undefined;
  /** How weights are added up. Default: "reproducible". */
  readonly precision?: Precision | undefined;
  /** Whether to add up the squares of the weights too. Default: false. */
  readonly squares?: boolean | undefined;
  /** The algorithm's slug. Default: "auto". */
  readonly algorithm?: Slug | WeightedSlug | "auto" | (string & {}) | undefined;
  /** Whether to measure how long each call takes. Otherwise the results' `timings` are null. Default: false. */
  readonly timings?: boolean | undefined;
}

/** Type of a column of weights. */
export type WeightType = "f32" | "f64";

/** Returns the types of weights of a request. @throws ERR_INPUT, ERR_LIMIT */
export function weightTypes(given: WeightType | readonly WeightType[]): readonly WeightType[] {
  const types = typeof given === "string" ? [given] : given;
  if (!Array.isArray(types)) throw expected("ERR_INPUT", "weights", WEIGHT_TYPES, given);
  checkWeightColumns(types.length);
  const wrong = types.findIndex((type) => type !== "f32" && type !== "f64");
  if (wrong < 0) return types;
  throw expected("ERR_INPUT", types === given ? `weights[${wrong}]` : "weights", WEIGHT_TYPES, types[wrong]);
}

const WEIGHT_TYPES = "f32 or f64";

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

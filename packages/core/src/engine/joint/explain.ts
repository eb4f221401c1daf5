import type { AlgorithmParameters, Slug } from "../../algorithms/index.ts";
import { type Axis, checkedAxis } from "../../axis/index.ts";
import type { DeviceLaunch } from "../../backend/index.ts";
import { checkNames, checkSwitch, expected, PolybinError } from "../../base/index.ts";
import {
  checkedChannels,
  checkedWhole,
  INPUT_TYPES,
  SAMPLE_TRAITS,
  type SampleType,
} from "../../input/index.ts";
import { type CellsPlan, describePlan, type MaskKind } from "../../plan/index.ts";
import type { Host } from "../host.ts";
import { checkCounting } from "../options.ts";
import { groupAxis } from "./find.ts";
import type { ColumnShape, JointJobs, JointShape } from "./jobs.ts";
import { checkColumns } from "./options.ts";

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

/** Describes a joint histogram, or a histogram with a mask or groups, without the samples. */
export interface JointCountRequest extends AlgorithmParameters {
  readonly columns: readonly JointColumnRequest[];
  /** Number of samples of each column. */
  readonly samples: number;
  /** Whether a mask leaves samples out, as bytes or as bits. Default: no mask. */
  readonly mask?: "bytes" | "bits" | undefined;
  /** Whether a list of indices selects the samples. Default: false. */
  readonly where?: boolean | undefined;
  /** Type of the codes of groups, and the number of groups. Default: no groups. */
  readonly by?: { readonly type: SampleType; readonly groups: number } | undefined;
  /** The algorithm's slug. Default: "auto". */
  readonly algorithm?: Slug | "auto" | (string & {}) | undefined;
}

/** Explains how a joint request would be counted: the portable plan and the device's part of it. */
export interface JointExplanation {
  /** The backend's id. */
  readonly backend: string;
  /** The device's name. */
  readonly device: string;
  /** Slug of the algorithm that would count. */
  readonly algorithm: string;
  /** The axes of the plan's columns. With groups, the first is theirs. */
  readonly axes: readonly Axis[];
  /** The portable plan. */
  readonly plan: CellsPlan;
  /** The device's part: kernels, blocks, scratch memory. */
  readonly launch: DeviceLaunch;
  /** Both parts as lines of text. */
  readonly text: string;
}

const NAMES: readonly (keyof JointCountRequest)[] = [
  "columns",
  "samples",
  "mask",
  "where",
  "by",
  "algorithm",
];

/** Returns the plan of a request, or a sentence that states why there is none. @throws ERR_INPUT, ERR_AXIS, ERR_LIMIT */
export function supportsJoint(host: Host, jobs: JointJobs, request: JointCountRequest): CellsPlan | string {
  const shape = shapeOf(host, request);
  try {
    return jobs.of(shape, request).job.plan;
  } catch (error) {
    if (error instanceof PolybinError && error.code === "ERR_UNSUPPORTED") return error.message;
    throw error;
  }
}

/** Explains a request. @throws ERR_UNSUPPORTED if there is no plan; ERR_INPUT, ERR_AXIS, ERR_LIMIT */
export async function explainJoint(
  host: Host,
  jobs: JointJobs,
  request: JointCountRequest,
): Promise<JointExplanation> {
  const shape = shapeOf(host, request);
  const planned = jobs.of(shape, request);
  const { plan } = planned.job;
  const { launch } = await planned.prepared();
  const { backend, device } = host;
  const lines = [
    `${backend}, ${device.name}`,
    describePlan(plan),
    ...Object.entries(launch).map(
      ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
    ),
  ];
  return {
    backend,
    device: device.name,
    algorithm: plan.algorithm,
    axes: shape.columns.map(({ axis }) => axis),
    plan,
    launch,
    text: lines.join("\n"),
  };
}

/** Checks a request. @throws ERR_INPUT, ERR_AXIS, ERR_LIMIT, ERR_UNSUPPORTED */
function shapeOf(host: Host, request: JointCountRequest): JointShape {
  checkNames(request, [...NAMES, ...host.parameters], { of: "a joint request" });
  const { columns, samples, mask, where, by, algorithm } = request;
  checkCounting({ algorithm }, host);
  if (!Array.isArray(columns)) throw expected("ERR_INPUT", "columns", "an array of columns", columns);
  checkColumns(columns.length, 1, by);
  checkSwitch(where, "where");
  if (mask !== undefined && mask !== "bytes" && mask !== "bits") {
    throw expected("ERR_INPUT", "mask", "bytes or bits", mask);
  }
  const own = columns.map((column, k) => columnOf(column, `columns[${k}]`));
  return {
    columns: by === undefined ? own : [groupsOf(by), ...own],
    samples: checkedWhole(samples, "samples", 0),
    mask: mask ?? ("none" satisfies MaskKind),
    listed: where === true,
  };
}

export function columnOf(column: JointColumnRequest, name: string): ColumnShape {
  checkNames(column, ["type", "axis", "interleaved", "channel"], { of: name });
  const { type, axis, interleaved = 1, channel = 0 } = column;
  checkType(type, `${name}.type`);
  checkedChannels(interleaved, `${name}.interleaved`);
  checkedWhole(channel, `${name}.channel`, 0, interleaved - 1);
  return { type, axis: checkedAxis(axis), interleaved, channel };
}

function groupsOf(by: NonNullable<JointCountRequest["by"]>): ColumnShape {
  checkNames(by, ["type", "groups"], { of: "by" });
  checkType(by.type, "by.type");
  if (!SAMPLE_TRAITS[by.type].integer) throw expected("ERR_INPUT", "by.type", "an integer type", by.type);
  return {
    type: by.type,
    axis: groupAxis(checkedWhole(by.groups, "by.groups", 1)),
    interleaved: 1,
    channel: 0,
  };
}

function checkType(type: SampleType, name: string): void {
  if (!INPUT_TYPES.includes(type)) {
    throw expected("ERR_INPUT", name, `one of ${INPUT_TYPES.join(", ")}`, type);
  }
}

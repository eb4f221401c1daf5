import { type Axis, axisUnread, checkedAxis } from "../axis/index.ts";
import type { DeviceLaunch } from "../backend/index.ts";
import { checkNames, checkSwitch, expected, PolybinError } from "../base/index.ts";
import {
  channelsOf,
  checkedChannels,
  checkedWhole,
  INPUT_TYPES,
  type SampleType,
  type Segments,
  type SegmentsInit,
  segmentsOf,
} from "../input/index.ts";
import { type ChannelsPlan, describePlan, type PlanColumn, type PlanRequest } from "../plan/index.ts";
import type { Host } from "./host.ts";
import { type CountingOptions, checkCounting, countingNames } from "./options.ts";
import type { Job, Jobs } from "./prepare.ts";
import type { SegmentJobs } from "./segment-jobs.ts";

/** A column of samples and its axis. */
export interface ColumnRequest {
  /** Sample type of the column. */
  readonly type: SampleType;
  /** Axis of the column. */
  readonly axis: Axis;
}

/**
 * Describes a count without the samples. It has either one column of a `type`, over the axis that `histogram`'s
 * options give, or `columns` with a single one. Requests with several columns, a mask or groups are joint ones, for which
 * `supportsJoint` and `explainJoint` have plans.
 */
export type CountRequest = CountingOptions & {
  /** Sample type of the only column. Default: "u8". */
  readonly type?: SampleType | undefined;
  /** Channels of the only column, each counted separately: a number, or indices into `interleaved`. Default: 1. */
  readonly channels?: number | readonly number[] | undefined;
  /** Interleaved samples per pixel of the only column. Default: `channels` if that is a number, otherwise 1. */
  readonly interleaved?: number | undefined;
  /** Number of samples per channel. */
  readonly samples: number;
  /** The columns of a joint histogram, instead of `type`, `channels` and an axis. */
  readonly columns?: readonly ColumnRequest[] | undefined;
  /** Whether some samples are left out. Default: false. */
  readonly mask?: boolean | undefined;
  /** The column whose values form groups, with one histogram per value. */
  readonly by?: ColumnRequest | undefined;
  /** Type of the weights that are added up in addition to the counts. */
  readonly weights?: "f32" | "f64" | undefined;
  /** Segments of the samples, with one histogram per segment. */
  readonly segments?: SegmentsInit | undefined;
  /** Pixels per row of a picture of whole rows. `tiles` need it. */
  readonly width?: number | undefined;
  /**
   * Whether counts are added to those of earlier calls, as a counter's `accumulate` does. The plan is the same.
   * Default: false.
   */
  readonly accumulate?: boolean | undefined;
};

/** Explains how a request would be counted: the portable plan and the device's part of it. */
export interface Explanation {
  /** The backend's id. */
  readonly backend: string;
  /** The device's name. */
  readonly device: string;
  /** Slug of the algorithm that would count. */
  readonly algorithm: string;
  /** The axis that would be used. */
  readonly axis: Axis;
  /** The portable plan. */
  readonly plan: ChannelsPlan;
  /** The device's part: blocks, passes, scratch memory, kernels. Empty if the device has nothing to do. */
  readonly launch: DeviceLaunch;
  /** Both parts as lines of text. */
  readonly text: string;
}

/** Names of a request in addition to those of `CountingOptions`. */
export const REQUEST_NAMES: readonly string[] = [
  "type",
  "channels",
  "interleaved",
  "samples",
  "columns",
  "mask",
  "by",
  "weights",
  "segments",
  "width",
  "accumulate",
];

/** Checks the names and values of a request. @throws ERR_INPUT, ERR_UNSUPPORTED */
function checkRequest(request: CountRequest, host: Host): void {
  checkNames(request, [...countingNames(host), ...REQUEST_NAMES], { of: "a request" });
  checkCounting(request, host);
  const { type = "u8", samples, columns, by, mask, weights, accumulate } = request;
  checkType(type, "type");
  pixelOf(request);
  checkedWhole(samples, "samples", 0);
  checkSwitch(mask, "mask");
  checkSwitch(accumulate, "accumulate");
  if (weights !== undefined && weights !== "f32" && weights !== "f64") {
    throw expected("ERR_INPUT", "weights", "f32 or f64", weights);
  }
  cutOf(request);
  if (by !== undefined) checkColumn(by, "by");
  if (columns === undefined) return;
  if (!Array.isArray(columns) || columns.length === 0) {
    throw expected("ERR_INPUT", "columns", "an array of at least one column", columns);
  }
  for (const name of ["type", "channels", "interleaved", "axis", "bins", "range"] as const) {
    if (request[name] !== undefined) {
      throw new PolybinError("ERR_INPUT", `expected either columns or ${name} but received both`);
    }
  }
  for (const [i, column] of columns.entries()) checkColumn(column, `columns[${i}]`);
}

function checkColumn(column: ColumnRequest, name: string): void {
  checkNames(column, ["type", "axis"], { of: name });
  checkType(column.type, `${name}.type`);
  checkedAxis(column.axis);
}

function checkType(type: SampleType, name: string): void {
  if (!INPUT_TYPES.includes(type)) {
    throw expected("ERR_INPUT", name, `one of ${INPUT_TYPES.join(", ")}`, type);
  }
}

/** Returns the layout of a pixel of the only column, and which channels are counted. @throws ERR_INPUT */
function pixelOf({ channels = 1, interleaved: given }: CountRequest): Pick<Job, "interleaved" | "channels"> {
  const count = Array.isArray(channels) ? null : checkedChannels(channels, "channels");
  const interleaved = checkedChannels(given ?? count ?? 1, "interleaved");
  if (count !== null && count > interleaved) {
    throw expected("ERR_INPUT", "channels", `at most interleaved (${interleaved})`, count);
  }
  const which = count === null ? (channels as readonly number[]) : Array.from({ length: count }, (_, i) => i);
  return { interleaved, channels: channelsOf({ channels: interleaved }, which) };
}

/** Returns the columns of a checked request. @throws ERR_AXIS if the data would decide the only column's axis */
function columnsOf(request: CountRequest): readonly ColumnRequest[] {
  const { type = "u8", columns } = request;
  // An axis from outside may be incomplete, and the caller may change it.
  if (columns !== undefined) return columns.map((column) => ({ ...column, axis: checkedAxis(column.axis) }));
  const why = "a request has no data, so their range is not known";
  return [{ type, axis: axisUnread(type, request, `${type} samples`, why) }];
}

/** Returns the segments of a request, or null if there are none. @throws ERR_INPUT */
function cutOf({ segments, samples: pixels, width }: CountRequest): Segments | null {
  if (width !== undefined) {
    checkedWhole(width, "width", 1);
    if (pixels % width !== 0) {
      throw expected("ERR_INPUT", "samples", `a multiple of width (${width})`, pixels);
    }
  }
  const image = width === undefined ? null : { width, height: pixels / width };
  return segments === undefined ? null : segmentsOf(segments, { pixels, image });
}

/** States why a request is not one of a plain histogram, or returns null if it is. */
function withoutKernel({ columns = [], mask, by, weights }: CountRequest): string | null {
  if (columns.length > 1 || mask || by) {
    return "several columns, masks and groups have plans of their own: ask supportsJoint or explainJoint";
  }
  if (weights) {
    return "weights of plain samples have no plan of their own: call histogram({ weights }), which uses a table's kernels";
  }
  return null;
}

/** Converts a request into the form that is planned. @throws ERR_AXIS */
function planRequestOf(request: CountRequest, jobs: Jobs): Omit<PlanRequest, "algorithm"> {
  const { samples } = request;
  const columnOf = ({ type, axis }: ColumnRequest): PlanColumn =>
    jobs.column(jobs.lowering(checkedAxis(axis), type));
  return {
    column: columnOf(columnsOf(request)[0]!),
    parameters: jobs.parametersOf(request),
    samples,
    channels: pixelOf(request).channels.length,
    segments: cutOf(request),
  };
}

/**
 * Returns the plan of a request, or a sentence that states why there is none. @throws ERR_INPUT, ERR_AXIS,
 * ERR_UNSUPPORTED
 */
export function supports(host: Host, jobs: Jobs, request: CountRequest): ChannelsPlan | string {
  checkRequest(request, host);
  const { algorithm = "auto" } = request;
  if (request.segments !== undefined && request.accumulate === true) {
    return "segments cannot be accumulated over calls: add the rows of their results";
  }
  const missing = withoutKernel(request);
  if (missing !== null) return missing;
  const planned = planRequestOf(request, jobs);
  if (algorithm !== "auto") return jobs.planOrReason({ ...planned, algorithm });
  try {
    return jobs.plan(algorithm, planned);
  } catch (error) {
    if (error instanceof PolybinError && error.code === "ERR_UNSUPPORTED") return error.message;
    throw error;
  }
}

/** Explains a request. @throws ERR_UNSUPPORTED if there is no plan; ERR_INPUT, ERR_AXIS */
export function explain(
  host: Host,
  jobs: Jobs,
  segmentJobs: SegmentJobs,
  request: CountRequest,
): Explanation {
  const found = supports(host, jobs, request);
  const { algorithm, samples: pixels } = request;
  if (typeof found === "string") throw new PolybinError("ERR_UNSUPPORTED", found, { algorithm });
  // A request that has a plan has one column.
  const [{ type, axis }] = columnsOf(request) as readonly [ColumnRequest];
  const shape = { type, pixels, ...pixelOf(request) };
  const cut = cutOf(request);
  const job = cut === null ? jobs.of(shape, axis, request) : null;
  const { plan, lowering } = job ?? segmentJobs.of(shape, cut!, axis, request);
  const idle = withoutDevice(lowering, pixels);
  const prepared = () => job?.prepared() ?? segmentJobs.prepared(segmentJobs.of(shape, cut!, axis, request));
  const launch = idle === null ? prepared().launch : {};
  const stays = request.accumulate === true && idle === null && job !== null;
  const { backend, device } = host;
  const lines = [
    `${backend}, ${device.name}`,
    describePlan(plan),
    ...(idle === null ? [] : [idle]),
    ...(stays && job !== null ? [whereAccumulated(job)] : []),
    ...Object.entries(launch).map(([name, value]) => `${name}: ${print(value)}`),
  ];
  return {
    backend,
    device: device.name,
    algorithm: plan.algorithm,
    axis,
    plan,
    launch,
    text: lines.join("\n"),
  };
}

/** States why the device has nothing to do for a job, or returns null if it has. */
function withoutDevice(lowering: Job["lowering"], pixels: number): string | null {
  if (pixels === 0) return "no samples: the device counts nothing";
  return lowering.kind === "constant" ? "all samples have the same code: the device counts nothing" : null;
}

/** States where a counter keeps its counts until they are taken. */
function whereAccumulated(job: Job): string {
  return job.prepared().accumulator === undefined
    ? "each call copies its counts to the host, which adds them up"
    : "counts stay on the device until they are taken";
}

function print(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

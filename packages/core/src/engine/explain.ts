import { type Axis, axisUnread, checkedAxis } from "../axis/index.ts";
import type { DeviceLaunch } from "../backend/index.ts";
import { checkNames, checkSwitch, expected, PolybinError } from "../base/index.ts";
import {
  channelsOf,
  checkedChannels,
  checkedWhole,
  SAMPLE_TYPES,
  type SampleType,
  type Segments,
  type SegmentsInit,
  segmentsOf,
} from "../input/index.ts";
import { describePlan, type Plan, type PlanColumn, type PlanRequest } from "../plan/index.ts";
import type { Host } from "./host.ts";
import { type CountingOptions, checkCounting, countingNames } from "./options.ts";
import type { Job, Jobs } from "./prepare.ts";
import type { SegmentJobs } from "./segment-jobs.ts";

/** A column of samples and the axis that it is counted over. */
export interface ColumnRequest {
  readonly type: SampleType;
  readonly axis: Axis;
}

/**
 * What is to be counted, without the samples. One column of a `type`, over the axis that the options of `histogram` give;
 * or several `columns`, each with an axis of its own. What no kernel can do yet is refused with a sentence.
 */
export interface CountRequest extends CountingOptions {
  /** Sample type of the only column. Default u8. */
  readonly type?: SampleType | undefined;
  /** Channels of the only column, each counted by itself: how many, or which of `interleaved`. Default 1. */
  readonly channels?: number | readonly number[] | undefined;
  /** Interleaved samples a pixel of the only column. Default: as many as `channels`, 1 where that is a list. */
  readonly interleaved?: number | undefined;
  /** Samples of one channel. */
  readonly samples: number;
  /** Instead of `type`, `channels` and an axis: the columns of a joint histogram. */
  readonly columns?: readonly ColumnRequest[] | undefined;
  /** Are some samples left out? Default no. */
  readonly mask?: boolean | undefined;
  /** A histogram for each value of another column. */
  readonly by?: ColumnRequest | undefined;
  /** Weights that are added up beside the counts. */
  readonly weights?: "f32" | "f64" | undefined;
  /** A histogram for each segment. */
  readonly segments?: SegmentsInit | undefined;
  /** Pixels a row, which `tiles` need: of whole rows. */
  readonly width?: number | undefined;
  /** Are counts added to those of calls before, as a counter's `accumulate` does? It has the same plan. Default no. */
  readonly accumulate?: boolean | undefined;
}

/** How a request would be counted: the portable plan, and what the device makes of it. */
export interface Explanation {
  readonly backend: string;
  readonly device: string;
  readonly algorithm: string;
  readonly axis: Axis;
  readonly plan: Plan;
  /** The device's own part: blocks, passes, scratch memory, kernels. Empty where nothing comes to the device. */
  readonly launch: DeviceLaunch;
  /** Both, in lines for a person. */
  readonly text: string;
}

/** Names of a request beside those of `CountingOptions`. */
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

/** A request from outside: its names and values. @throws ERR_INPUT, ERR_UNSUPPORTED */
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
    throw expected("ERR_INPUT", "columns", "columns, at least one,", columns);
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
  if (!SAMPLE_TYPES.includes(type)) {
    throw expected("ERR_INPUT", name, `one of ${SAMPLE_TYPES.join(", ")}`, type);
  }
}

/** A pixel of the only column, and which of its channels are counted. @throws ERR_INPUT */
function pixelOf({ channels = 1, interleaved: given }: CountRequest): Pick<Job, "interleaved" | "channels"> {
  const count = Array.isArray(channels) ? null : checkedChannels(channels, "channels");
  const interleaved = checkedChannels(given ?? count ?? 1, "interleaved");
  if (count !== null && count > interleaved) {
    throw expected("ERR_INPUT", "channels", `at most interleaved (${interleaved})`, count);
  }
  const which = count === null ? (channels as readonly number[]) : Array.from({ length: count }, (_, i) => i);
  return { interleaved, channels: channelsOf({ channels: interleaved }, which) };
}

/** The columns of a checked request. @throws ERR_AXIS where the data would decide the axis of the only one */
function columnsOf(request: CountRequest): readonly ColumnRequest[] {
  const { type = "u8", columns } = request;
  // What came from outside may change, and may say less than all.
  if (columns !== undefined) return columns.map((column) => ({ ...column, axis: checkedAxis(column.axis) }));
  const why = "nothing is read, so their range is not known";
  return [{ type, axis: axisUnread(type, request, `${type} samples`, why) }];
}

/** The segments of a request; null: none. @throws ERR_INPUT */
function cutOf({ segments, samples: pixels, width }: CountRequest): Segments | null {
  if (width !== undefined) {
    checkedWhole(width, "width", 1);
    if (pixels % width !== 0) {
      throw expected("ERR_INPUT", "samples", `whole rows of ${width}`, pixels);
    }
  }
  const image = width === undefined ? null : { width, height: pixels / width };
  return segments === undefined ? null : segmentsOf(segments, { pixels, image });
}

/** A request as it is planned. @throws ERR_AXIS */
function planRequestOf(request: CountRequest, jobs: Jobs): Omit<PlanRequest, "algorithm"> {
  const { samples, mask, weights } = request;
  const columnOf = ({ type, axis }: ColumnRequest): PlanColumn =>
    jobs.column(type, jobs.lowering(checkedAxis(axis), type));
  return {
    columns: columnsOf(request).map(columnOf),
    parameters: jobs.parametersOf(request),
    samples,
    channels: pixelOf(request).channels.length,
    mask,
    groups: request.by === undefined ? null : columnOf(request.by),
    weights,
    segments: cutOf(request),
  };
}

/** The plan of a request, or why there is none. @throws ERR_INPUT, ERR_AXIS, ERR_UNSUPPORTED */
export function supports(host: Host, jobs: Jobs, request: CountRequest): Plan | string {
  checkRequest(request, host);
  const { algorithm = "auto" } = request;
  if (request.segments !== undefined && request.accumulate === true) {
    return "counts of segments are not added up over calls: add their rows";
  }
  const planned = planRequestOf(request, jobs);
  if (algorithm !== "auto") return jobs.planOrReason({ ...planned, algorithm });
  try {
    return jobs.plan(algorithm, planned);
  } catch (error) {
    if (error instanceof PolybinError && error.code === "ERR_UNSUPPORTED") return error.message;
    throw error;
  }
}

/** @throws ERR_UNSUPPORTED where there is no plan; ERR_INPUT, ERR_AXIS */
export function explain(
  host: Host,
  jobs: Jobs,
  segmentJobs: SegmentJobs,
  request: CountRequest,
): Explanation {
  const found = supports(host, jobs, request);
  const { algorithm, samples: pixels } = request;
  if (typeof found === "string") throw new PolybinError("ERR_UNSUPPORTED", found, { algorithm });
  // What has a plan has one column.
  const [{ type, axis }] = columnsOf(request) as readonly [ColumnRequest];
  const shape = { type, pixels, ...pixelOf(request) };
  const cut = cutOf(request);
  const job = cut === null ? jobs.of(shape, axis, request) : null;
  const { plan, lowering } = job ?? segmentJobs.of(shape, cut!, axis, request);
  const idle = withoutDevice(lowering, pixels);
  const prepared = () => job?.prepared() ?? segmentJobs.prepared(segmentJobs.of(shape, cut!, axis, request));
  const launch = idle === null ? prepared().launch : {};
  const stays = request.accumulate === true && idle === null;
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

/** Why nothing of a job comes to the device; null where it does. */
function withoutDevice(lowering: Job["lowering"], pixels: number): string | null {
  if (pixels === 0) return "no samples: the device counts nothing";
  return lowering.kind === "constant" ? "every sample counts in one place: the device counts nothing" : null;
}

/** Where a counter's counts are until they are taken. */
function whereAccumulated(job: Job): string {
  return job.prepared().accumulator === undefined
    ? "counts come home with each call, and are added up there"
    : "counts stay on the device until they are taken";
}

function print(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

import { type Axis, axisUnread, type CountedAs } from "../axis/index.ts";
import { type DeviceLaunch, kindsOf } from "../backend/index.ts";
import { checkNames, checkObject, checkSwitch, expected, PolybinError } from "../base/index.ts";
import {
  channelsOf,
  checkedChannels,
  checkedWhole,
  SAMPLE_TRAITS,
  type SampleType,
  type Segments,
  type SegmentsInit,
  segmentsOf,
} from "../input/index.ts";
import { describePlan, type MaskKind, type Plan } from "../plan/index.ts";
import type { Precision } from "../weights/index.ts";
import type { CellsJobs, ColumnShape } from "./jobs/cells-jobs.ts";
import type { Job, Jobs } from "./jobs/prepare.ts";
import type { SegmentJobs } from "./jobs/segment-jobs.ts";
import type { OpenBackend } from "./opened/open-backend.ts";
import { AXIS_NAMES, type CountingOptions, checkCounting } from "./options/options.ts";
import { checkWeighting, type WeightingOptions } from "./options/weighting-options.ts";
import {
  checkType,
  columnOf,
  type GroupsRequest,
  groupsColumn,
  type JointColumnRequest,
  type WeightType,
  weightTypes,
} from "./run/columns-request.ts";
import { checkColumns } from "./run/open-call.ts";
import { addsUpOver } from "./run/sums/add-up.ts";
import { cellsAxis, hasNoTable } from "./run/tallies/found-tally.ts";
import { columnsAtOnce, weighsOnDevice } from "./run/tallies/weighted-tally.ts";

/**
 * Describes a count without the samples. It has either one column of a `type`, over the axis that `histogram`'s
 * options give, or `columns` with their axes.
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
  readonly columns?: readonly JointColumnRequest[] | undefined;
  /** Whether a mask leaves samples out, as bytes (`true`) or as bits. Default: no mask. */
  readonly mask?: boolean | "bytes" | "bits" | undefined;
  /** Whether a list of indices selects the samples. Default: false. */
  readonly where?: boolean | undefined;
  /** Type of the codes of groups, and the number of groups. Default: no groups. */
  readonly by?: GroupsRequest | undefined;
  /** Type of the weights that are added up in addition to the counts, or a list of the types of several columns. */
  readonly weights?: WeightType | readonly WeightType[] | undefined;
  /** How weights are added up, and whether their squares are too. */
  readonly precision?: Precision | undefined;
  readonly squares?: boolean | undefined;
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

/** A request of channels over one axis, without a selection or weights. */
export type PlainRequest = CountRequest & {
  readonly columns?: undefined;
  readonly mask?: undefined;
  readonly where?: undefined;
  readonly by?: undefined;
  readonly weights?: undefined;
};

/** Explains how a request would be counted: the portable plan and the device's part of it. */
export interface Explanation<P extends Plan | null = Plan | null> {
  /** The backend's id. */
  readonly backend: string;
  /** The device's name. */
  readonly device: string;
  /** Slug of the algorithm that would count. Null: this process's thread adds up. */
  readonly algorithm: P extends null ? string | null : string;
  /** The axes that would be used. With groups, the first is theirs. */
  readonly axes: readonly Axis[];
  /** The portable plan. Null: this process's thread adds up. */
  readonly plan: P;
  /** The device's part: blocks, passes, scratch memory, kernels. Empty if the device has nothing to do. */
  readonly launch: DeviceLaunch;
  /** The work of this process's thread where the device has no kernel, and its cost. */
  readonly host: readonly string[];
  /** All parts as lines of text. */
  readonly text: string;
}

/** Names of a request in addition to those of `CountingOptions`. */
const NAMES: readonly string[] = [
  ...["type", "channels", "interleaved", "samples", "columns", "mask", "where", "by"],
  ...["weights", "precision", "squares", "segments", "width", "accumulate"],
];

/** The parts of an engine that a request needs. */
interface Parts {
  readonly opened: OpenBackend;
  readonly jobs: Jobs;
  readonly cellsJobs: CellsJobs;
  readonly segmentJobs: SegmentJobs;
}

/** How a request would be counted. */
interface Way {
  readonly axes: readonly Axis[];
  readonly plan: Plan | null;
  /** Prepares the device. Null: it has nothing to do. */
  readonly launch: (() => Promise<DeviceLaunch>) | null;
  /** Sentences of what the host does, and of what the device does not. */
  readonly host: readonly string[];
  readonly idle: string | null;
  readonly stays: string | null;
}

/**
 * Returns the plan of a request, or a sentence that states why there is none. Null: this thread adds up.
 * @throws ERR_INPUT, ERR_AXIS, ERR_LIMIT
 */
export async function supports(parts: Parts, request: CountRequest): Promise<Plan | string | null> {
  try {
    return wayOf(parts, request).plan;
  } catch (error) {
    if (error instanceof PolybinError && error.code === "ERR_UNSUPPORTED" && !isCallers(request, parts)) {
      return error.message;
    }
    throw error;
  }
}

/** Returns true if the request itself is wrong, as with the name of an algorithm that does not exist. */
function isCallers(request: CountRequest, { opened }: Parts): boolean {
  try {
    checkRequest(request, opened);
    return false;
  } catch {
    return true;
  }
}

/** Explains a request. @throws ERR_UNSUPPORTED if there is no plan; ERR_INPUT, ERR_AXIS, ERR_LIMIT */
export async function explain(parts: Parts, request: CountRequest): Promise<Explanation> {
  const { axes, plan, launch: prepare, host, idle, stays } = wayOf(parts, request);
  const launch = prepare === null ? {} : await prepare();
  const { backend, device } = parts.opened;
  const lines = [
    `${backend}, ${device.name}`,
    ...(plan === null ? [] : [describePlan(plan)]),
    ...host,
    ...(idle === null ? [] : [idle]),
    ...(stays === null ? [] : [stays]),
    ...Object.entries(launch).map(([name, value]) => `${name}: ${print(value)}`),
  ];
  return {
    backend,
    device: device.name,
    algorithm: plan?.algorithm ?? null,
    axes,
    plan,
    launch,
    host,
    text: lines.join("\n"),
  };
}

/** Plans a request. @throws ERR_UNSUPPORTED with the reason if there is no plan; ERR_INPUT, ERR_AXIS, ERR_LIMIT */
function wayOf(parts: Parts, request: CountRequest): Way {
  checkRequest(request, parts.opened);
  const { columns, mask, where, by, weights, segments, accumulate } = request;
  if (segments !== undefined && accumulate === true) {
    throw unsupported("segments cannot be accumulated over calls: add the rows of their results");
  }
  if (segments !== undefined && by !== undefined) {
    throw unsupported("groups and segments are both rows of a result: ask for one of them");
  }
  const isSelected = (mask !== undefined && mask !== false) || where === true;
  if (columns === undefined && by === undefined && weights === undefined && !isSelected) {
    return plainWay(parts, request);
  }
  const own = columnsOf(request);
  const all = by === undefined ? own : [groupsColumn(by), ...own];
  if (weights !== undefined) return weightedWay(parts, request, all);
  if (segments !== undefined || !kindsOf(parts.opened.device).includes("cells")) {
    return foundWay(parts, request, all);
  }
  const shape = { columns: all, samples: request.samples, mask: maskOf(mask), listed: where === true };
  const planned = parts.cellsJobs.of(shape, request);
  return {
    axes: all.map(({ axis }) => axis),
    plan: planned.job.plan,
    launch: async () => (await planned.prepared()).launch,
    ...{ host: conversions(all, (column) => parts.cellsJobs.countedAs(column)), idle: null },
    stays: accumulate === true ? ON_HOST : null,
  };
}

function maskOf(mask: CountRequest["mask"]): MaskKind {
  return mask === true ? "bytes" : mask === false || mask === undefined ? "none" : mask;
}

const ON_HOST = "each call copies its counts to the host, which adds them up";

/** Channels over one axis, or segments of one. */
function plainWay(parts: Parts, request: CountRequest): Way {
  const { jobs, segmentJobs, opened } = parts;
  const { type = "u8", samples: pixels, accumulate } = request;
  const why = "a request has no data, so their range is not known";
  const axis = axisUnread(type, request, `${type} samples`, why);
  const { interleaved, channels } = pixelOf(request);
  const cut = cutOf(request);
  if (cut !== null && channels.length > 1) {
    throw unsupported(
      `segments are counted one channel at a time and the request has ${channels.length}: choose one channel`,
    );
  }
  if (cut !== null && !kindsOf(opened.device).includes("segments")) {
    const column = { type, axis, interleaved, channel: channels[0]! };
    return foundWay(parts, request, [column]);
  }
  const shape = { type, pixels, interleaved, channels };
  const job = cut === null ? jobs.of(shape, axis, request) : null;
  const rows = cut === null ? null : segmentJobs.of(shape, cut, axis, request);
  const { plan, lowering } = (job ?? rows)!;
  const idle = withoutDevice(lowering, pixels);
  const prepared = () => (job ?? rows)!.prepared();
  const stays = accumulate === true && idle === null && job !== null ? whereAccumulated(job) : null;
  const host = idle === null ? conversions([{ type }], () => (job ?? rows)!.counted) : [];
  return {
    ...{ axes: [axis], plan, host, idle, stays },
    launch: idle === null ? async () => (await prepared()).launch : null,
  };
}

/** Returns a sentence for each column whose samples no device counts as they are. */
function conversions<C extends Pick<ColumnShape, "type">>(
  columns: readonly C[],
  countedAs: (column: C) => CountedAs,
): readonly string[] {
  return columns
    .filter((column) => countedAs(column).reduction !== null)
    .map(({ type }) => {
      const { bytes } = SAMPLE_TRAITS[type];
      return `this thread converts ${type} to f64 first: it reads ${bytes} and writes 8 bytes per sample`;
    });
}

/** Cells that this thread finds and the device counts as integers. */
function foundWay(parts: Parts, request: CountRequest, columns: readonly ColumnShape[]): Way {
  const { jobs, opened } = parts;
  const { samples } = request;
  const cells = cellsOf(parts, columns) * (cutOf(request)?.count ?? 1);
  const isHere = hasNoTable(cells);
  const shape = { type: "u32", pixels: samples, interleaved: 1, channels: [0] } as const;
  const job = isHere ? null : jobs.of(shape, cellsAxis(cells), request);
  const bytes = columns.reduce((sum, { type }) => sum + SAMPLE_TRAITS[type].bytes, 0);
  const counts = isHere ? "and counts them in its own memory" : `and ${opened.backend} counts them`;
  return {
    axes: columns.map(({ axis }) => axis),
    plan: job?.plan ?? null,
    launch: job === null || samples === 0 ? null : async () => job.prepared().launch,
    host: [`this thread finds the cells: it reads ${bytes} bytes and writes 4 bytes per sample, ${counts}`],
    ...{ idle: null, stays: null },
  };
}

function cellsOf({ cellsJobs }: Parts, columns: readonly ColumnShape[]): number {
  return cellsJobs.onHost(columns).maps.reduce((product, { extent }) => product * extent, 1);
}

/** Weights over cells that this thread finds. */
function weightedWay(parts: Parts, request: CountRequest, columns: readonly ColumnShape[]): Way {
  const { opened } = parts;
  const { samples, mask, where, accumulate } = request;
  const weights = weightTypes(request.weights!);
  const rows = cutOf(request)?.count ?? 1;
  const onDevice = parts.cellsJobs.onHost(columns).cells;
  const isOne = columns.length === 1 && request.segments === undefined;
  const bins = isOne ? columns[0]!.axis.bins : cellsOf(parts, columns) * rows;
  if (weighsOnDevice(opened, onDevice * rows, request as WeightingOptions)) {
    const kind: MaskKind = maskOf(mask);
    const planned = parts.cellsJobs.of({ columns, samples, mask: kind, listed: where === true }, {});
    const passes = Math.ceil(weights.length / columnsAtOnce(planned.job.plan.cells * rows));
    const again = `${opened.backend} reads the samples ${passes} times, because its memory holds the sums of some columns of weights at a time`;
    const converts = conversions(columns, (column) => parts.cellsJobs.countedAs(column));
    return {
      axes: columns.map(({ axis }) => axis),
      plan: planned.job.plan,
      launch: async () => (await planned.weighted(request.squares === true)).launch,
      ...{ host: passes === 1 ? converts : [...converts, again], idle: null },
      stays: accumulate === true ? ON_HOST : null,
    };
  }
  const { plan } = addsUpOver(opened, bins, samples, request as WeightingOptions);
  const bytes = columns.reduce((sum, { type }) => sum + SAMPLE_TRAITS[type].bytes, 0);
  const size = weights.reduce((sum, type) => sum + SAMPLE_TRAITS[type].bytes, 0);
  const adds =
    plan === null ? "and adds them up in its own memory" : `and ${opened.backend} adds up each limb`;
  return {
    axes: columns.map(({ axis }) => axis),
    plan,
    launch: null,
    host: [
      `this thread finds the cells and cuts the weights into limbs: it reads ${bytes + size} bytes per sample, ${adds}`,
    ],
    ...{ idle: null, stays: null },
  };
}

/** Checks the names and values of a request. @throws ERR_INPUT, ERR_UNSUPPORTED */
function checkRequest(request: CountRequest, opened: OpenBackend): void {
  checkObject(request, { of: "a request" });
  const { type = "u8", samples, columns, mask, where, weights, accumulate } = request;
  const parameters = weights === undefined ? opened.parameters : opened.weightedParameters;
  checkNames(request, [...AXIS_NAMES, "algorithm", ...parameters, ...NAMES], { of: "a request" });
  if (weights === undefined) checkCounting(request, opened);
  else {
    weightTypes(weights);
    checkWeighting(request as WeightingOptions, opened);
  }
  checkType(type, "type");
  pixelOf(request);
  checkedWhole(samples, "samples", 0);
  if (mask !== "bytes" && mask !== "bits" && mask !== undefined && typeof mask !== "boolean") {
    throw expected("ERR_INPUT", "mask", "true, false, bytes or bits", mask);
  }
  checkSwitch(where, "where");
  checkSwitch(accumulate, "accumulate");
  cutOf(request);
  if (columns === undefined) return;
  if (!Array.isArray(columns)) throw expected("ERR_INPUT", "columns", "an array of columns", columns);
  checkColumns(columns.length, 1, request.by !== undefined);
  for (const name of ["type", "channels", "interleaved", "axis", "bins", "range", "nice"] as const) {
    if (request[name] !== undefined) {
      throw new PolybinError("ERR_INPUT", `expected either columns or ${name} but received both`);
    }
  }
}

/** Returns the columns of a checked request. @throws ERR_AXIS if the data would decide the only column's axis */
function columnsOf(request: CountRequest): readonly ColumnShape[] {
  const { type = "u8", columns } = request;
  if (columns !== undefined) return columns.map((column, k) => columnOf(column, `columns[${k}]`));
  const { interleaved, channels } = pixelOf(request);
  if (channels.length > 1) {
    throw unsupported(`a selection counts one channel at a time and the request has ${channels.length}`);
  }
  const why = "a request has no data, so their range is not known";
  return [
    { type, interleaved, channel: channels[0]!, axis: axisUnread(type, request, `${type} samples`, why) },
  ];
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

function unsupported(message: string): PolybinError {
  return new PolybinError("ERR_UNSUPPORTED", message);
}

/** States why the device has nothing to do for a job, or returns null if it has. */
function withoutDevice(lowering: Job["lowering"], pixels: number): string | null {
  if (pixels === 0) return "no samples: the device counts nothing";
  return lowering.kind === "constant" ? "all samples have the same code: the device counts nothing" : null;
}

/** States where a counter keeps its counts until they are taken. */
function whereAccumulated(job: Job): string {
  return job.prepared().accumulator === undefined
    ? ON_HOST
    : "counts stay on the device until they are taken";
}

function print(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

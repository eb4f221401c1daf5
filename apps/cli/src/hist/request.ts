import {
  type Axis,
  PolybinError,
  regular,
  type SampleType,
  type SegmentsInit,
  variable,
} from "@polybin/core";
import { type AxisOptions, limits, SAMPLE_TYPES } from "@polybin/core/backend";
import { parseNumber } from "../base/index.ts";
import {
  BINS,
  binsText,
  CHANNELS,
  checkOneFormat,
  givenShard,
  oneOf,
  type PictureOptions,
  type PictureReading,
  parsePictures,
  parseView,
  parseWork,
  type ReadingOptions,
  refuse,
  refuseReading,
  type ShardOptions,
  type View,
  type ViewOptions,
  type WorkOptions,
  type WorkRequest,
} from "../options/index.ts";
import { type CuttingOptions, parseSegments } from "./segments.ts";

/** The options of `polybin hist` as they were typed. */
export interface HistOptions
  extends CuttingOptions,
    ViewOptions,
    ReadingOptions,
    ShardOptions,
    PictureOptions,
    WorkOptions {
  readonly type?: string;
  readonly bins?: string;
  readonly range?: string;
  readonly edges?: string;
  readonly channel: string;
  readonly by?: string;
  readonly output?: string;
  readonly column?: readonly string[];
}

/** A count to make, checked as far as possible before a byte is read. */
export interface Request extends PictureReading, WorkRequest {
  /** Null if not given. Raw bytes are then u8. */
  readonly type: SampleType | null;
  /** Null if not given. */
  readonly bins: number | null;
  /** From --range LO,HI or --edges. Null if the type or the samples decide. */
  readonly axis: Axis | null;
  /** --range data or type. Null if not given. */
  readonly range: "data" | "type" | null;
  readonly channel: string;
  /** Path of the groups' codes. Null for one histogram of all samples. */
  readonly by: string | null;
  /** --every or --tiles. Null for one histogram of all samples. */
  readonly segments: SegmentsInit | null;
  readonly view: View;
}

/** Bins of the default axis of a 16-bit picture: one per value. */
const PICTURE_U16_BINS = limits.HALF_VALUES;
/**
 * Reads the options.
 * @throws ERR_INPUT, ERR_AXIS, ERR_UNSUPPORTED or ERR_LIMIT with what was expected.
 */
export function parseRequest(options: HistOptions): Request {
  const { type, channel } = options;
  checkOneFormat(options);
  refuseReading(options, "--column");
  checkExplain(options);
  checkSelection(options);
  return {
    type: type === undefined ? null : oneOf(type, SAMPLE_TYPES, "--type"),
    ...parsePictures(options),
    ...parseAxis(options),
    channel: oneOf(channel, CHANNELS, "--channel"),
    by: options.by ?? null,
    ...parseWork(options),
    segments: parseSegments(options),
    view: parseView(options),
  };
}

/** An explanation has no counts to write. */
function checkExplain(options: HistOptions): void {
  if (options.explain) refuse(options, "--explain, which counts nothing,", ["csv", "svg", "png"]);
}

/** Groups are printed as JSON, and no plan or matrix knows groups and masks. */
function checkSelection(options: HistOptions): void {
  const { by, mask, json } = options;
  const given = by !== undefined ? "--by" : mask !== undefined ? "--mask" : null;
  if (given === null) return;
  refuse(options, given, ["explain", "every", "tiles"]);
  if (by === undefined) return;
  if (!json) {
    throw new PolybinError("ERR_INPUT", "expected --json with --by, which prints one histogram per group");
  }
  refuse(options, "--by", ["svg", "png"], "draws no groups");
}

/** Whether the options ask for columns of a table, or for a shard. */
export function isTable(options: HistOptions): boolean {
  return options.column !== undefined || givenShard(options) !== null;
}

/** Whether samples are divided into groups or left out. */
export function isSelected({ by, mask }: Pick<Request, "by" | "mask">): boolean {
  return by !== null || mask !== null;
}

/** The axis options of the engine's call for these samples. */
export function axisOptions(
  { axis, bins, range }: Request,
  type: SampleType,
  isPicture: boolean,
): AxisOptions {
  if (axis !== null) return { axis };
  const own = isPicture && type === "u16" && range !== "data" ? PICTURE_U16_BINS : BINS;
  return { bins: bins ?? own, ...(range === null ? {} : { range }) };
}

function parseAxis(options: HistOptions): Pick<Request, "bins" | "axis" | "range"> {
  const { bins, range, edges } = binsText(options);
  if (edges !== null) {
    return { bins, axis: variable(edges.map((edge) => parseNumber(edge, "--edges"))), range: null };
  }
  if (typeof range === "string" || range === null) return { bins, axis: null, range };
  const [lo, hi] = range.map((end) => parseNumber(end, "--range")) as [number, number];
  return { bins, axis: regular(bins ?? BINS, lo, hi), range: null };
}

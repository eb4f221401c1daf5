import { PolybinError, regular, type SampleType } from "@polybin/core";
import { type AxisOptions, SAMPLE_TYPES } from "@polybin/core/backend";
import { parseNumber } from "../base/index.ts";
import {
  BINS,
  bothBins,
  CHANNELS,
  checkOneStdin,
  listed,
  oneOf,
  type PictureOptions,
  type PictureReading,
  pair,
  parsePictures,
  parseView,
  parseWork,
  type ReadingOptions,
  type ShardOptions,
  type View,
  type WorkOptions,
  type WorkRequest,
} from "../options/index.ts";

/** The options of `polybin joint` as they were typed. */
export interface JointOptions extends ReadingOptions, ShardOptions, PictureOptions, WorkOptions {
  readonly columns?: string;
  readonly channels?: string;
  readonly output?: string;
  readonly type?: string;
  readonly bins?: string;
  readonly range?: string;
  readonly json?: boolean;
  readonly scale?: string;
  readonly svg?: string;
  readonly png?: string;
}

/** One of the two columns. */
export interface ColumnRequest {
  readonly path: string;
  /** Null if not given. Colour pictures are then counted by their grey. */
  readonly channel: string | null;
  /** Null if not given. Raw bytes are then u8. */
  readonly type: SampleType | null;
  readonly axis: AxisOptions;
}

/** A joint histogram to count, checked as far as possible before a byte is read. */
export interface JointRequest extends PictureReading, WorkRequest {
  readonly columns: readonly [ColumnRequest, ColumnRequest];
  readonly view: View;
}

/** Reads the options. @throws ERR_INPUT, ERR_AXIS or ERR_UNSUPPORTED */
export function parseJoint(files: readonly string[], options: JointOptions): JointRequest {
  const [a, b, third] = files as readonly [string, ...string[]];
  if (third !== undefined) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected two files at most, or --columns with tables, but received ${files.length} files`,
    );
  }
  const { channels, type } = options;
  const reading = parsePictures(options);
  const paths = pair(b === undefined ? [a] : [a, b]);
  checkOneStdin([a, b, reading.mask]);
  const names = channels === undefined ? null : listed(channels, "--channels", "names of channels");
  if (b === undefined && names?.length !== 2) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected two files, or --channels NAME,NAME with one picture, but received ${a} alone` +
        (names === null ? "" : ` with --channels ${channels}`),
    );
  }
  const types = type === undefined ? null : listed(type, "--type", "types");
  const axes = parseAxes(options);
  const [first, second] = paths.map((path, i) => ({
    path,
    channel: names === null ? null : oneOf(pair(names)[i]!, SINGLE_CHANNELS, "--channels"),
    type: types === null ? null : oneOf(pair(types)[i]!, SAMPLE_TYPES, "--type"),
    axis: axes[i]!,
  }));
  return {
    columns: [first!, second!],
    ...reading,
    view: parseView(options),
    ...parseWork(options),
  };
}

/** The values of `--channels`: a column is one channel. */
export const SINGLE_CHANNELS: readonly string[] = CHANNELS.filter((name) => name !== "all");

function parseAxes(options: JointOptions): readonly AxisOptions[] {
  return bothBins(options).map(({ bins, range }) => {
    const count = bins ?? BINS;
    if (range === null) return { bins: count };
    if (typeof range === "string") return { bins: count, range };
    const [lo, hi] = range.map((end) => parseNumber(end, "--range")) as [number, number];
    return { axis: regular(count, lo, hi) };
  });
}

import type { Scale } from "@polybin/columns/plots";
import { PolybinError, regular, type SampleType, type Slug } from "@polybin/core";
import { type AxisOptions, SAMPLE_TYPES } from "@polybin/core/backend";
import { parseNumbers } from "./numbers.ts";
import { BINS, CHANNELS, checkOneStdin, oneOf, parseAlgorithm, parseBins, parseThreads } from "./request.ts";
import type { ReadingOptions } from "./tables/reading.ts";
import type { ShardOptions } from "./tables/shard-options.ts";
import { parseView } from "./view.ts";

/** The options of `polybin joint` as they were typed. */
export interface JointOptions extends ReadingOptions, ShardOptions {
  readonly columns?: string;
  readonly channels?: string;
  readonly type?: string;
  readonly raw?: boolean;
  readonly lenient?: boolean;
  readonly bins?: string;
  readonly range?: string;
  readonly mask?: string;
  readonly json?: boolean;
  readonly scale?: string;
  readonly svg?: string;
  readonly png?: string;
  readonly backend: string;
  readonly algorithm: string;
  readonly threads?: string;
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
export interface JointRequest {
  readonly columns: readonly [ColumnRequest, ColumnRequest];
  readonly raw: boolean;
  readonly lenient: boolean;
  /** Path of the mask. Null to count all samples. */
  readonly mask: string | null;
  /** Null if the counts decide it. */
  readonly scale: Scale | null;
  readonly backend: string;
  readonly algorithm: Slug | "auto";
  readonly threads: number | undefined;
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
  const { raw = false, lenient = false, channels, type, mask = null } = options;
  if (raw && lenient) {
    throw new PolybinError(
      "ERR_INPUT",
      "expected either --raw, which decodes nothing, or --lenient but received both",
    );
  }
  const paths = pair(b === undefined ? [a] : [a, b]);
  checkOneStdin([a, b, mask]);
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
    raw,
    lenient,
    mask,
    scale: parseView(options).scale,
    backend: options.backend,
    algorithm: parseAlgorithm(options.algorithm),
    threads: parseThreads(options.threads),
  };
}

/** The values of `--channels`: a column is one channel. */
export const SINGLE_CHANNELS: readonly string[] = CHANNELS.filter((name) => name !== "all");

/** One value for both columns, or one for each. */
export function pair<T>([first, second = first]: readonly T[]): readonly [T, T] {
  return [first!, second!];
}

/** One or two words. @throws ERR_INPUT */
export function listed(text: string, option: string, what: string): readonly string[] {
  const words = text.split(",").map((word) => word.trim());
  if (words.length <= 2) return words;
  throw new PolybinError(
    "ERR_INPUT",
    `expected one or two ${what} for ${option} but received ${JSON.stringify(text)}`,
  );
}

function parseAxes({ bins, range }: JointOptions): readonly [AxisOptions, AxisOptions] {
  const numbers = bins === undefined ? [BINS] : listed(bins, "--bins", "numbers").map(parseBins);
  const [first, second] = pair(numbers);
  if (range === undefined) return [{ bins: first }, { bins: second }];
  if (range === "data" || range === "type") {
    return [
      { bins: first, range },
      { bins: second, range },
    ];
  }
  // Text without a comma is no range, whether it is a number or a word.
  const ends = range.includes(",") ? parseNumbers(range, "--range") : [];
  if (ends.length !== 2 && ends.length !== 4) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected LO,HI, LO,HI,LO,HI, data or type for --range but received ${JSON.stringify(range)}`,
    );
  }
  const [lo, hi, loOfSecond = lo, hiOfSecond = hi] = ends;
  return [{ axis: regular(first, lo!, hi!) }, { axis: regular(second, loOfSecond!, hiOfSecond!) }];
}

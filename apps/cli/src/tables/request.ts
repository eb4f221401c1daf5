import type { SampleType, Slug } from "@polybin/core";
import { PolybinError } from "@polybin/core";
import { SAMPLE_TYPES } from "@polybin/core/backend";
import { parseWhole } from "../numbers.ts";
import { type HistOptions, oneOf, parseAlgorithm, parseK, parseThreads } from "../request.ts";
import { parseView, type View } from "../view.ts";
import { type BinsText, binsText } from "./bins-text.ts";
import { dashed, parseReading, type Reading, refuseReading } from "./reading.ts";
import type { ShardOptions } from "./shard-options.ts";

/** The most shards of a command. */
const MOST_SHARDS = 1_000_000;

/** A shard of a command. */
export interface ShardRequest {
  /** From 0 on. */
  readonly index: number;
  readonly of: number;
}

/** The shard of a command, and the file that it writes. */
export interface PartRequest {
  /** Null: everything at once. */
  readonly shard: ShardRequest | null;
  /** Whether to find the extents only. */
  readonly extent: boolean;
  /** Path of the extents of an earlier pass. */
  readonly extentFrom: string | null;
  /** Path of the partial result. Null to print the result. */
  readonly out: string | null;
}

/** Where and how a command counts. */
export interface WorkRequest {
  readonly backend: string;
  readonly algorithm: Slug | "auto";
  readonly k: number | undefined;
  readonly threads: number | undefined;
}

/** A count of columns, or of a shard of plain values, checked as far as possible before a byte is read. */
export interface TableRequest extends PartRequest, WorkRequest {
  /** Names of columns. Null: the file has plain values. */
  readonly columns: readonly string[] | null;
  /** Name of the column of the groups. */
  readonly by: string | null;
  /** The type of plain values. */
  readonly type: SampleType | null;
  readonly reading: Reading;
  readonly bins: BinsText;
  readonly view: View;
}

/** Reads the options. @throws ERR_INPUT, ERR_AXIS, ERR_UNSUPPORTED or ERR_LIMIT */
export function parseTable(options: HistOptions): TableRequest {
  const { column, by, type, json, csv } = options;
  const first = column === undefined ? "--shard" : "--column";
  refuse(
    options,
    first,
    ["mask", "every", "tiles", "explain", "raw", "lenient"],
    "counts pictures and plain values",
  );
  if (options.channel !== "all") throw both(first, "--channel", "counts pictures");
  if (json && csv) throw new PolybinError("ERR_INPUT", "expected either --json or --csv but received both");
  if (column !== undefined && type !== undefined) throw both("--column", "--type", "is for plain values");
  if (column === undefined) refuseReading(options, "--column");
  if (column === undefined && by !== undefined)
    throw new PolybinError("ERR_INPUT", "expected --column with --by");
  checkOnce(column ?? [], "--column");
  const part = parsePart(options);
  if (part.extent) refuse(options, "--extent", ["edges", "by"], "needs the extent first");
  return {
    columns: column ?? null,
    by: by ?? null,
    type: type === undefined ? null : oneOf(type, SAMPLE_TYPES, "--type"),
    reading: parseReading(options),
    bins: binsText(options),
    ...part,
    backend: options.backend,
    algorithm: parseAlgorithm(options.algorithm),
    k: parseK(options),
    threads: parseThreads(options.threads),
    view: parseView(options),
  };
}

/** @throws ERR_INPUT if a column is named twice */
export function checkOnce(columns: readonly string[], option: string): void {
  const twice = columns.find((name, i) => columns.indexOf(name) < i);
  if (twice === undefined) return;
  throw new PolybinError(
    "ERR_INPUT",
    `expected each column once for ${option} but received ${JSON.stringify(twice)} twice`,
  );
}

/** The options that print a result, and those that decide the bins. */
const PRINTING = ["json", "csv", "svg", "png", "scale", "percentiles", "stats"] as const;
const BINS = ["extentFrom", "bins", "range"] as const;

/** Reads the options of shards. @throws ERR_INPUT, also for options that have no effect */
export function parsePart(
  options: ShardOptions & { readonly [name in (typeof PRINTING)[number] | (typeof BINS)[number]]?: unknown },
): PartRequest {
  const { shard, extent = false, extentFrom, out } = options;
  if (out === undefined) {
    const given =
      shard !== undefined
        ? "--shard"
        : extent
          ? "--extent"
          : extentFrom !== undefined
            ? "--extent-from"
            : null;
    if (given !== null)
      throw new PolybinError(
        "ERR_INPUT",
        `expected --out FILE with ${given}, whose result polybin merge prints`,
      );
  } else refuse(options, "--out", PRINTING, "prints a whole result, as polybin merge does");
  if (extent) refuse(options, "--extent", BINS, "needs the extent first");
  return {
    shard: shard === undefined ? null : parseShard(shard),
    extent,
    extentFrom: extentFrom ?? null,
    out: out ?? null,
  };
}

/** Reads 3/64: shard 3 of 64, which are numbered from 0. @throws ERR_INPUT */
function parseShard(text: string): ShardRequest {
  const [index, of, more] = text.split("/");
  if (of === undefined || more !== undefined) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected I/N, such as 3/64, for --shard but received ${JSON.stringify(text)}`,
    );
  }
  const shards = parseWhole(of, "--shard", 1, MOST_SHARDS);
  if (index === of) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected 0/${of} to ${shards - 1}/${of} for --shard, since shards are numbered from 0, but received ${text}`,
    );
  }
  return { index: parseWhole(index!, "--shard", 0, shards - 1), of: shards };
}

/** @throws ERR_INPUT if one of these options is given together with `own` */
export function refuse<N extends string>(
  options: { readonly [name in N]?: unknown },
  own: string,
  names: readonly N[],
  why: string,
): void {
  for (const name of names) {
    if (options[name] === undefined || options[name] === false) continue;
    throw both(own, `--${dashed(name)}`, why);
  }
}

function both(own: string, other: string, why: string): PolybinError {
  return new PolybinError("ERR_INPUT", `expected either ${own} or ${other}, which ${why}, but received both`);
}

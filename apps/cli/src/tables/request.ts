import { PolybinError } from "@polybin/core";
import { parseWhole } from "../numbers.ts";
import { type HistOptions, oneOf, parseAlgorithm, parseK, parseThreads } from "../request.ts";
import type { SampleType, Slug } from "@polybin/core";
import { SAMPLE_TYPES } from "@polybin/core/backend";
import { parseView, type View } from "../view.ts";
import { type BinsText, binsText } from "./bins-text.ts";

/** The most shards of a command. */
const MOST_SHARDS = 1_000_000;

/** A shard of a command. */
export interface ShardRequest {
  /** From 0 on. */
  readonly index: number;
  readonly of: number;
}

/** A count of columns, or of a shard of plain values, checked as far as possible before a byte is read. */
export interface TableRequest {
  /** Names of columns. Null: the file has plain values. */
  readonly columns: readonly string[] | null;
  /** Name of the column of the groups. */
  readonly by: string | null;
  /** The type of plain values. */
  readonly type: SampleType | null;
  readonly bins: BinsText;
  /** Null: everything at once. */
  readonly shard: ShardRequest | null;
  /** Whether to find the extents only. */
  readonly extent: boolean;
  /** Path of the extents of an earlier pass. */
  readonly extentFrom: string | null;
  /** Path of the partial result. Null to print the result. */
  readonly out: string | null;
  readonly backend: string;
  readonly algorithm: Slug | "auto";
  readonly k: number | undefined;
  readonly threads: number | undefined;
  readonly view: View;
}

/** Reads the options. @throws ERR_INPUT, ERR_AXIS, ERR_UNSUPPORTED or ERR_LIMIT */
export function parseTable(options: HistOptions): TableRequest {
  const { column, by, type, json, csv, shard, extent = false, extentFrom, out } = options;
  const first = column === undefined ? "--shard" : "--column";
  refuse(options, first, ["mask", "every", "tiles", "explain", "raw", "lenient"], "counts pictures and plain values");
  if (options.channel !== "all") throw both(first, "--channel", "counts pictures");
  if (json && csv) throw new PolybinError("ERR_INPUT", "expected either --json or --csv but received both");
  if (column !== undefined && type !== undefined) throw both("--column", "--type", "is for plain values");
  if (column === undefined && by !== undefined) throw new PolybinError("ERR_INPUT", "expected --column with --by");
  if (out === undefined && (shard !== undefined || extent)) {
    throw new PolybinError("ERR_INPUT", `expected --out FILE with ${shard === undefined ? "--extent" : "--shard"}, which counts a part of the result`);
  }
  if (out !== undefined) refuse(options, "--out", ["json", "csv", "svg", "png", "scale", "percentiles", "stats"], "shows a whole result; polybin merge prints it");
  if (out === undefined && extentFrom !== undefined) throw new PolybinError("ERR_INPUT", "expected --out FILE with --extent-from, which is for shards");
  if (extent) refuse(options, "--extent", ["extentFrom", "bins", "range", "edges", "by"], "needs the extent first");
  return {
    columns: column ?? null,
    by: by ?? null,
    type: type === undefined ? null : oneOf(type, SAMPLE_TYPES, "--type"),
    bins: binsText(options),
    shard: shard === undefined ? null : parseShard(shard),
    extent,
    extentFrom: extentFrom ?? null,
    out: out ?? null,
    backend: options.backend,
    algorithm: parseAlgorithm(options.algorithm),
    k: parseK(options),
    threads: parseThreads(options.threads),
    view: parseView(options),
  };
}

/** Reads 3/64: shard 3 of 64, which are numbered from 0. @throws ERR_INPUT */
function parseShard(text: string): ShardRequest {
  const [index, of, more] = text.split("/");
  if (of === undefined || more !== undefined) {
    throw new PolybinError("ERR_INPUT", `expected I/N, such as 3/64, for --shard but received ${JSON.stringify(text)}`);
  }
  const shards = parseWhole(of, "--shard", 1, MOST_SHARDS);
  if (index === of) {
    throw new PolybinError("ERR_INPUT", `expected 0/${of} to ${shards - 1}/${of} for --shard, since shards are numbered from 0, but received ${text}`);
  }
  return { index: parseWhole(index!, "--shard", 0, shards - 1), of: shards };
}

type Name = Exclude<keyof HistOptions, "column">;

function refuse(options: HistOptions, own: string, names: readonly Name[], why: string): void {
  for (const name of names) {
    if (options[name] === undefined || options[name] === false) continue;
    throw both(own, `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, why);
  }
}

function both(own: string, other: string, why: string): PolybinError {
  return new PolybinError("ERR_INPUT", `expected either ${own} or ${other}, which ${why}, but received both`);
}

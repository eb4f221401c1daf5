import type { LogicalType, Table } from "@polybin/columns";
import type { SampleRequest } from "@polybin/columns/profile";
import { PolybinError } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { decimalOf, parseWhole } from "../base/index.ts";
import {
  checkOnce,
  checkOneStdin,
  givenShard,
  parseReading,
  parseThreads,
  type Reading,
  type ReadingOptions,
  type ShardOptions,
  storedValue,
} from "../options/index.ts";

/** The options of `polybin profile` as they were typed. */
export interface ProfileOptions extends ReadingOptions, Pick<ShardOptions, "shard" | "out"> {
  readonly columns?: string;
  readonly bins?: string;
  readonly range?: string;
  readonly joint?: string;
  readonly correlations?: boolean;
  readonly duplicates?: boolean;
  readonly over?: string;
  readonly sample?: string;
  readonly seed?: string;
  readonly top?: string;
  readonly distinctLimit?: string;
  readonly json?: boolean;
  readonly html?: string;
  readonly output?: string;
  readonly after?: readonly string[];
  readonly backend: string;
  readonly threads?: string;
}

/** A profile to make, checked as far as possible before a byte is read. Undefined: the default. */
export interface ProfileRequest {
  readonly columns: readonly string[] | undefined;
  readonly reading: Reading;
  readonly bins: number | undefined;
  /** The ends as they were typed. The type of a column decides their numbers. */
  readonly ranges: ReadonlyMap<string, readonly [lo: string, hi: string]>;
  readonly joint: readonly (readonly [string, string])[];
  readonly correlations: boolean | undefined;
  readonly duplicates: boolean | undefined;
  readonly over: string | undefined;
  readonly sample: SampleRequest | undefined;
  readonly top: number | undefined;
  readonly distinctLimit: number | undefined;
  readonly backend: string;
  readonly threads: number | undefined;
}

/** Whether a profile is counted in shards, or goes on after passes that were. */
export function isSharded({ after = [], ...options }: ProfileOptions): boolean {
  return after.length > 0 || givenShard(options) !== null;
}

/** All rows in percent. */
const ALL = 100;

/** The most frequent values that a profile lists, and the most different values that it counts, as the library checks them. */
export const MOST: { readonly top: number; readonly distinct: number } = { top: 1000, distinct: 2 ** 24 };

/** Reads the options. @throws ERR_INPUT */
export function parseProfile(files: readonly string[], options: ProfileOptions): ProfileRequest {
  checkOneStdin(files);
  const chosen = options.columns === undefined ? undefined : names(options.columns, "--columns");
  checkOnce(chosen ?? [], "--columns");
  const { bins, range, joint, correlations, duplicates, over, top, distinctLimit, backend, threads } =
    options;
  return {
    columns: chosen,
    reading: parseReading(options),
    bins: bins === undefined ? undefined : parseWhole(bins, "--bins", 1, limits.MAX_BINS),
    ranges: range === undefined ? new Map() : parseRanges(range),
    joint: joint === undefined ? [] : parsePairs(joint),
    correlations,
    duplicates,
    over,
    sample: parseSample(options),
    top: top === undefined ? undefined : parseWhole(top, "--top", 0, MOST.top),
    distinctLimit:
      distinctLimit === undefined
        ? undefined
        : parseWhole(distinctLimit, "--distinct-limit", 0, MOST.distinct),
    backend,
    threads: parseThreads(threads),
  };
}

/** Reads a number of rows or a share of them, and the seed. @throws ERR_INPUT */
function parseSample({ sample, seed }: Pick<ProfileOptions, "sample" | "seed">): SampleRequest | undefined {
  if (sample === undefined) {
    if (seed !== undefined) throw new PolybinError("ERR_INPUT", "expected --sample with --seed");
    return undefined;
  }
  const own = { seed: seed === undefined ? undefined : parseWhole(seed, "--seed", 0, limits.U32_MAX) };
  if (!sample.endsWith("%"))
    return { ...own, rows: parseWhole(sample, "--sample", 1, Number.MAX_SAFE_INTEGER) };
  const percent = decimalOf(sample.slice(0, -1));
  if (percent > 0 && percent <= ALL) return { ...own, share: percent / ALL };
  throw wrong("a number of rows, or a percentage above 0% and up to 100%, for --sample", sample);
}

/** Names between commas. @throws ERR_INPUT */
export function names(text: string, option: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.every((part) => part !== "")) return parts;
  throw wrong(`names of columns for ${option}`, text);
}

/** NAME=LO,HI once or several times. */
function parseRanges(text: string): Map<string, readonly [string, string]> {
  const parts = text.split(",");
  const ranges = new Map<string, readonly [string, string]>();
  for (let i = 0; i < parts.length; i += 2) {
    const [first, hi] = [parts[i]!, parts[i + 1]];
    const equals = first.lastIndexOf("=");
    const name = first.slice(0, equals).trim();
    if (equals < 1 || hi === undefined || ranges.has(name)) {
      throw wrong("NAME=LO,HI for each column once for --range", text);
    }
    ranges.set(name, [first.slice(equals + 1), hi]);
  }
  return ranges;
}

/**
 * Returns the ranges as the columns store their values. Those of unknown columns, which the profile refuses, are left as
 * numbers.
 * @throws ERR_INPUT
 */
export function rangesIn(
  tables: readonly Pick<Table, "columns">[],
  ranges: ProfileRequest["ranges"],
): Record<string, readonly [number, number]> {
  const columns = tables.flatMap((table) => table.columns);
  const entries = [...ranges].map(([name, ends]) => {
    const type = columns.find((column) => column.name === name)?.type ?? UNKNOWN;
    const [lo, hi] = ends.map((end) => storedValue(end, type, "--range")) as [number, number];
    return [name, [lo, hi]] as const;
  });
  return Object.fromEntries(entries);
}

const UNKNOWN: LogicalType = { kind: "number", type: "f64" };

function parsePairs(text: string): [string, string][] {
  const all = names(text, "--joint");
  if (all.length % 2 === 1) throw wrong("pairs of columns for --joint", text);
  return Array.from({ length: all.length / 2 }, (_, i) => [all[2 * i]!, all[2 * i + 1]!]);
}

function wrong(what: string, text: string): PolybinError {
  return new PolybinError("ERR_INPUT", `expected ${what} but received ${JSON.stringify(text)}`);
}

import { PolybinError } from "@polybin/core";
import { checkNames, checkObject, expected, limits } from "@polybin/core/backend";
import { DISTINCT_LIMIT, KEPT_BYTES, MOST_DISTINCT, MOST_TOP, PROFILE_BINS, TOP } from "./limits.ts";
import type { ProfileRequest } from "./pass/plans.ts";
import type { SampleRequest } from "./sample/plan.ts";

/** Options of `profile`. */
export interface ProfileOptions {
  /** Names of the columns to profile. Default: all. */
  readonly columns?: readonly string[] | undefined;
  /** Bins of each histogram at most. Default: 256. */
  readonly bins?: number | undefined;
  /**
   * Ranges of histograms, by the names of columns. A bigint must be a double, as all edges are. Default: from the smallest
   * to the largest value.
   */
  readonly ranges?: Readonly<Record<string, readonly [lo: number | bigint, hi: number | bigint]>> | undefined;
  /** Pairs of numeric columns to count together. Default: none. */
  readonly joint?: readonly (readonly [string, string])[] | undefined;
  /**
   * Whether to correlate all columns of numbers, and to count nulls that two columns share. The tables are read once more.
   * Default: false.
   */
  readonly correlations?: boolean | undefined;
  /** Whether to count rows that equal an earlier one, in all columns of the profile. Default: false. */
  readonly duplicates?: boolean | undefined;
  /**
   * A column of times or numbers in whose bins all columns of numbers are averaged. Bins of times have round units of the
   * calendar, in UTC. Default: none.
   */
  readonly over?: string | undefined;
  /**
   * A sample of rows to profile in place of all: `{ rows: 10_000 }` or `{ share: 0.01 }`. The same rows every time, unless
   * `seed` is another one. Default: all rows.
   */
  readonly sample?: SampleRequest | undefined;
  /** Number of most frequent values to list per column. Default: 10. */
  readonly top?: number | undefined;
  /** The most different values of a column to count exactly. Default: 100,000, and 4 million over the
   * number of columns above 40 columns. 0 counts no values. Beyond it, their number is an estimate. */
  readonly distinctLimit?: number | undefined;
  /** Bytes of values to keep in memory, so that they are not read again. Default: 256 MiB. */
  readonly keepBytes?: number | undefined;
  /**
   * Threads that add up columns. At most 8 start. Default: the number of processors, and none for a small table. 0: the
   * calling thread adds them up.
   */
  readonly threads?: number | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called from time to time with the progress of the current pass. */
  readonly onProgress?: ((progress: ProfileProgress) => void) | undefined;
}

/** How far a pass over all tables has come. Totals are null if they are unknown. */
export interface ProfileProgress {
  readonly pass: number;
  readonly rows: number;
  readonly totalRows: number | null;
  readonly bytes: number;
  readonly totalBytes: number | null;
}

/** Checked options, with their defaults. */
export interface CheckedOptions extends Pick<ProfileOptions, "columns" | "sample" | "signal" | "onProgress"> {
  readonly request: ProfileRequest;
  readonly top: number;
  readonly keepBytes: number;
  readonly threads: number | undefined;
}

/** Names of `ProfileOptions`. */
export const PROFILE_OPTIONS: readonly (keyof ProfileOptions)[] = [
  "columns",
  "bins",
  "ranges",
  "joint",
  "correlations",
  "duplicates",
  "over",
  "sample",
  "top",
  "distinctLimit",
  "keepBytes",
  "threads",
  "signal",
  "onProgress",
];
/** The most bins of a column in a result. */
const MOST_BINS = 65_536;

/** @throws ERR_INPUT, ERR_LIMIT */
export function checkedProfileOptions(options: ProfileOptions): CheckedOptions {
  checkNames(options, PROFILE_OPTIONS);
  const {
    columns,
    signal,
    onProgress,
    threads,
    ranges = {},
    joint = [],
    correlations = false,
    duplicates = false,
    over,
    sample,
  } = options;
  if (columns !== undefined && !isNames(columns))
    throw expected("ERR_INPUT", "columns", "an array of names", columns);
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw expected("ERR_INPUT", "onProgress", "a function", onProgress);
  }
  for (const [name, value] of Object.entries({ correlations, duplicates })) {
    if (typeof value !== "boolean") throw expected("ERR_INPUT", name, "true or false", value);
  }
  if (over !== undefined && typeof over !== "string") {
    throw expected("ERR_INPUT", "over", "the name of a column", over);
  }
  checkObject(ranges, { of: "ranges" });
  const checkedRanges = Object.entries(ranges).map(([name, range]) => [name, checkedRange(name, range)]);
  if (!Array.isArray(joint) || !joint.every((pair: unknown) => isNames(pair) && pair.length === 2)) {
    throw expected("ERR_INPUT", "joint", "an array of pairs of names", joint);
  }
  const request: ProfileRequest = {
    bins: whole(options.bins ?? PROFILE_BINS, "bins", 1, MOST_BINS),
    distinctLimit: whole(options.distinctLimit ?? DISTINCT_LIMIT, "distinctLimit", 0, MOST_DISTINCT),
    ranges: Object.fromEntries(checkedRanges),
    joint,
    correlations,
    duplicates,
    over,
  };
  return {
    request,
    columns:
      over === undefined || columns === undefined || columns.includes(over) ? columns : [...columns, over],
    signal,
    onProgress,
    sample: sample === undefined ? undefined : checkedSample(sample),
    threads: threads === undefined ? undefined : whole(threads, "threads", 0, limits.MAX_THREADS),
    top: whole(options.top ?? TOP, "top", 0, MOST_TOP),
    keepBytes: whole(options.keepBytes ?? KEPT_BYTES, "keepBytes", 0, Number.MAX_SAFE_INTEGER),
  };
}

function checkedSample(sample: SampleRequest): SampleRequest {
  checkNames(sample, ["rows", "share", "seed"], { of: "sample" });
  const { rows, share, seed } = sample;
  if ((rows === undefined) === (share === undefined)) {
    throw expected("ERR_INPUT", "sample", "rows or share", sample);
  }
  if (share !== undefined && !(typeof share === "number" && share > 0 && share <= 1)) {
    throw expected("ERR_INPUT", "share", "a number above 0 and up to 1", share);
  }
  return {
    share,
    rows: rows === undefined ? undefined : whole(rows, "rows", 1, Number.MAX_SAFE_INTEGER),
    seed: whole(seed ?? 0, "seed", 0, limits.U32_MAX),
  };
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function checkedRange(name: string, range: unknown): readonly [number, number] {
  const ends: unknown = Array.isArray(range) ? range.map((end) => doubleOf(name, end)) : range;
  if (isRange(ends)) return ends;
  const [what, of] = ["two finite numbers [lo, hi] with lo below hi", `ranges.${name}`];
  if (!Array.isArray(range)) throw expected("ERR_INPUT", of, what, range);
  throw new PolybinError("ERR_INPUT", `expected ${what} for ${of} but received ${listed(ends as unknown[])}`);
}

function isRange(value: unknown): value is readonly [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] < value[1];
}

/** @throws ERR_INPUT for an integer that no double equals */
function doubleOf(name: string, end: unknown): unknown {
  if (typeof end !== "bigint") return end;
  const near = Number(end);
  if (!Number.isFinite(near) || BigInt(near) === end) return near;
  throw new PolybinError(
    "ERR_INPUT",
    `expected integers that are doubles for ranges.${name} but received ${end}; the nearest is ${BigInt(near)}`,
  );
}

/** The most entries of a list that a message shows. */
const SHOWN = 4;

function listed(list: readonly unknown[]): string {
  const more = list.length > SHOWN ? ", …" : "";
  return `[${list
    .slice(0, SHOWN)
    .map((entry) => (typeof entry === "number" ? String(entry) : typeof entry))
    .join(", ")}${more}]`;
}

function whole(value: unknown, name: string, least: number, most: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most)
    return value as number;
  const isLarge = typeof value === "number" && value > most;
  throw expected(isLarge ? "ERR_LIMIT" : "ERR_INPUT", name, `a whole number from ${least} to ${most}`, value);
}

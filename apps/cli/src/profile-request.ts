import { PolybinError } from "@polybin/core";
import { limits } from "@polybin/core/backend";
import { parseNumber, parseWhole } from "./numbers.ts";
import { checkOneStdin, parseThreads } from "./request.ts";
import { parseReading, type Reading, type ReadingOptions } from "./tables/reading.ts";

/** The options of `polybin profile` as they were typed. */
export interface ProfileOptions extends ReadingOptions {
  readonly columns?: string;
  readonly bins?: string;
  readonly range?: string;
  readonly joint?: string;
  readonly top?: string;
  readonly distinctLimit?: string;
  readonly json?: boolean;
  readonly html?: string;
  readonly backend: string;
  readonly threads?: string;
}

/** A profile to make, checked as far as possible before a byte is read. Undefined: the default. */
export interface ProfileRequest {
  readonly columns: readonly string[] | undefined;
  readonly reading: Reading;
  readonly bins: number | undefined;
  readonly ranges: Readonly<Record<string, readonly [number, number]>>;
  readonly joint: readonly (readonly [string, string])[];
  readonly top: number | undefined;
  readonly distinctLimit: number | undefined;
  readonly backend: string;
  readonly threads: number | undefined;
}

/** The most frequent values that a profile lists, and the most different values that it counts, as the library checks them. */
const MOST = { top: 1000, distinct: 2 ** 24 };

/** Reads the options. @throws ERR_INPUT */
export function parseProfile(files: readonly string[], options: ProfileOptions): ProfileRequest {
  checkOneStdin(files);
  const { columns, bins, range, joint, top, distinctLimit, backend, threads } = options;
  return {
    columns: columns === undefined ? undefined : names(columns, "--columns"),
    reading: parseReading(options),
    bins: bins === undefined ? undefined : parseWhole(bins, "--bins", 1, limits.MAX_BINS),
    ranges: range === undefined ? {} : parseRanges(range),
    joint: joint === undefined ? [] : parsePairs(joint),
    top: top === undefined ? undefined : parseWhole(top, "--top", 0, MOST.top),
    distinctLimit:
      distinctLimit === undefined
        ? undefined
        : parseWhole(distinctLimit, "--distinct-limit", 0, MOST.distinct),
    backend,
    threads: parseThreads(threads),
  };
}

function names(text: string, option: string): string[] {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.every((part) => part !== "")) return parts;
  throw wrong(`names of columns for ${option}`, text);
}

/** NAME=LO,HI once or several times. */
function parseRanges(text: string): Record<string, readonly [number, number]> {
  const parts = text.split(",");
  // A map, since a column may be named __proto__.
  const ranges = new Map<string, readonly [number, number]>();
  for (let i = 0; i < parts.length; i += 2) {
    const [first, hi] = [parts[i]!, parts[i + 1]];
    const equals = first.lastIndexOf("=");
    const name = first.slice(0, equals).trim();
    if (equals < 1 || hi === undefined || ranges.has(name)) {
      throw wrong("NAME=LO,HI for each column once for --range", text);
    }
    ranges.set(name, [parseNumber(first.slice(equals + 1), "--range"), parseNumber(hi, "--range")]);
  }
  return Object.fromEntries(ranges);
}

function parsePairs(text: string): [string, string][] {
  const all = names(text, "--joint");
  if (all.length % 2 === 1) throw wrong("pairs of columns for --joint", text);
  return Array.from({ length: all.length / 2 }, (_, i) => [all[2 * i]!, all[2 * i + 1]!]);
}

function wrong(what: string, text: string): PolybinError {
  return new PolybinError("ERR_INPUT", `expected ${what} but received ${JSON.stringify(text)}`);
}

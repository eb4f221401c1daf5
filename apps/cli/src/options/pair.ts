import { PolybinError } from "@polybin/core";
import { type BinsText, binsText } from "./bins.ts";
import { checkOnce } from "./checks.ts";

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

/** Reads --columns. @throws ERR_INPUT unless it names two columns */
export function twoColumns(text: string): readonly [string, string] {
  const columns = listed(text, "--columns", "names of columns");
  if (columns.length !== 2) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected two names of columns for --columns but received ${JSON.stringify(text)}`,
    );
  }
  checkOnce(columns, "--columns");
  return [columns[0]!, columns[1]!];
}

/** One number of bins for both columns or one for each, and the same for ranges. */
export function bothBins({
  bins,
  range,
}: {
  readonly bins?: string | undefined;
  readonly range?: string | undefined;
}): readonly [BinsText, BinsText] {
  const [n, m] = pair(bins === undefined ? [undefined] : listed(bins, "--bins", "numbers"));
  const ends = range === undefined || range === "data" || range === "type" ? null : range.split(",");
  if (ends !== null && ends.length !== 2 && ends.length !== 4) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected LO,HI, LO,HI,LO,HI, data or type for --range but received ${JSON.stringify(range)}`,
    );
  }
  const [first, second] =
    ends === null
      ? [range, range]
      : pair(ends.length === 2 ? [range] : [ends.slice(0, 2).join(","), ends.slice(2).join(",")]);
  return [binsText({ bins: n, range: first }), binsText({ bins: m, range: second })];
}

import { limits } from "@polybin/core/backend";
import { parseWhole } from "../../base/index.ts";
import { checkOnce, checkOneStdin, parseReading, parseThreads, type Reading } from "../../options/index.ts";
import { MOST, names, type ProfileOptions } from "../request.ts";

/** The options of `polybin compare` as they were typed. */
export type CompareOptions = Omit<
  ProfileOptions,
  "range" | "joint" | "correlations" | "duplicates" | "over" | "sample" | "seed"
>;

/** A comparison to make. Undefined: the default. */
export interface CompareRequest {
  readonly columns: readonly string[] | undefined;
  readonly reading: Reading;
  readonly bins: number | undefined;
  readonly top: number | undefined;
  readonly distinctLimit: number | undefined;
  readonly backend: string;
  readonly threads: number | undefined;
}

/** Reads the options. @throws ERR_INPUT */
export function parseCompare(files: readonly string[], options: CompareOptions): CompareRequest {
  checkOneStdin(files);
  const { bins, top, distinctLimit, backend, threads } = options;
  const columns = options.columns === undefined ? undefined : names(options.columns, "--columns");
  checkOnce(columns ?? [], "--columns");
  const counted = (text: string | undefined, option: string, least: number, most: number) =>
    text === undefined ? undefined : parseWhole(text, option, least, most);
  return {
    columns,
    reading: parseReading(options),
    bins: counted(bins, "--bins", 1, limits.MAX_BINS),
    top: counted(top, "--top", 0, MOST.top),
    distinctLimit: counted(distinctLimit, "--distinct-limit", 0, MOST.distinct),
    backend,
    threads: parseThreads(threads),
  };
}

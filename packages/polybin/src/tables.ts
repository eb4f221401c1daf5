import type {
  ResultOf,
  Table,
  TableCompareOptions,
  TableHistogramOptions,
  TableJointOptions,
  TableProfileOptions,
  TableSource,
  WeightNames,
} from "@polybin/columns";
import type { ComparisonJson } from "@polybin/columns/compare";
import type { ProfileJson } from "@polybin/columns/profile";
import type { Histogram, JointHistogram, Weighed, WeightedJointHistogram } from "@polybin/core";
import type { Where } from "@polybin/core/backend";

/** A table without further options: a path, a URL, a File, or an open table. */
export type TablePlace = string | Where<"URL", URL> | Where<"File", File> | Table;

/** Options that make a table of bytes, a Blob or a stream. */
type Named =
  | { readonly column: string }
  | { readonly columns: readonly string[] }
  | { readonly format: string };

type Name = string | null | undefined;

/** Counts a column of a table. */
export interface TableHistogram {
  /**
   * Counts a column of a table: a path, a URL, a File or an open table. Other bytes are a table if `column` or `format` is
   * given. Rows without a value are `masked`.
   * @throws ERR_INPUT for a file that is no table, and for a column that does not exist or has no numbers.
   */
  <const W extends WeightNames = never, B extends Name = never>(
    source: TablePlace,
    options?: TableHistogramOptions<W, B>,
  ): Promise<ResultOf<W, B, Histogram, Weighed>>;
  <const W extends WeightNames = never, B extends Name = never>(
    source: TableSource,
    options: TableHistogramOptions<W, B> & Named,
  ): Promise<ResultOf<W, B, Histogram, Weighed>>;
}

/** Counts columns of a table together. */
export interface TableJoint {
  /**
   * Counts columns of a table together: a path, a URL, a File or an open table. Other bytes are a table if `columns` or
   * `format` is given. Rows without one of the values are `masked`.
   * @throws ERR_INPUT for a file that is no table, and for a column that does not exist or has no numbers.
   */
  <const W extends WeightNames = never, B extends Name = never>(
    source: TablePlace,
    options?: TableJointOptions<W, B>,
  ): Promise<ResultOf<W, B, JointHistogram, WeightedJointHistogram>>;
  <const W extends WeightNames = never, B extends Name = never>(
    source: TableSource,
    options: TableJointOptions<W, B> & Named,
  ): Promise<ResultOf<W, B, JointHistogram, WeightedJointHistogram>>;
}

/** Profiles tables. */
export type TableProfile = (
  source: TableSource | readonly Table[],
  options?: TableProfileOptions,
) => Promise<ProfileJson>;

/** Compares tables. */
export type TableComparison = (
  a: TableSource | readonly Table[],
  b: TableSource | readonly Table[],
  options?: TableCompareOptions,
) => Promise<ComparisonJson>;

/** Options that say what plain bytes are. */
const OF_BYTES = ["type", "interleaved", "bytes", "channel", "channels"] as const;
/** Options that only a table has. */
const OF_TABLE = ["column", "columns", "format"] as const;

function hasOption(options: unknown, name: string): boolean {
  if (typeof options !== "object" || options === null || !Object.hasOwn(options, name)) return false;
  return (options as Readonly<Record<string, unknown>>)[name] !== undefined;
}

/** Whether a call is about a table. */
export function isTable(source: unknown, options: unknown): boolean {
  const kind = Object.prototype.toString.call(source);
  if (kind === "[object String]" || kind === "[object URL]") return true;
  if (OF_TABLE.some((name) => hasOption(options, name))) return true;
  // Blobs alone have no name.
  if (kind === "[object File]") return !OF_BYTES.some((name) => hasOption(options, name));
  return typeof source === "object" && source !== null && "read" in source && "columns" in source;
}

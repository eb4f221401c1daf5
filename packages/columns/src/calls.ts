import {
  type Engine,
  type Histogram,
  type JointHistogram,
  PolybinError,
  type Weighed,
  type WeightedJointHistogram,
} from "@polybin/core";
import { checkNames, loadedOnce, PARAMETER_NAMES, WEIGHTED_PARAMETER_NAMES } from "@polybin/core/backend";
import type { CompareOptions, ComparisonJson } from "./compare/index.ts";
// The names of options alone: the rest is loaded when tables are compared.
import { COMPARE_OPTIONS } from "./compare/options.ts";
import type { ColumnHistogramOptions, ColumnsJointOptions, ResultOf, WeightNames } from "./count/index.ts";
// The names of options alone: the rest is loaded when a table is counted.
import { HISTOGRAM_OPTIONS, JOINT_OPTIONS } from "./count/options.ts";
import { OPEN_TABLE_OPTIONS, type OpenTableOptions, openAs, openEachAs } from "./open.ts";
import type { ProfileJson, ProfileOptions } from "./profile/index.ts";
import { PROFILE_OPTIONS } from "./profile/options.ts";
import type { Location } from "./source/index.ts";
import type { Table } from "./table/index.ts";
import { namesOfFormats } from "./table-in.ts";

/** A table: the place of one, as `openTable` takes it, which the call opens and closes, or an open one. */
export type TableSource = Location | Table;

/** Options of `histogram`: what is counted, and how the table is opened. */
export type TableHistogramOptions<
  W extends WeightNames = WeightNames,
  B extends string | null | undefined = string | null | undefined,
> = ColumnHistogramOptions<W, B> & OpenTableOptions;

/** Options of `joint`: what is counted, and how the table is opened. */
export type TableJointOptions<
  W extends WeightNames = WeightNames,
  B extends string | null | undefined = string | null | undefined,
> = ColumnsJointOptions<W, B> & OpenTableOptions;

/** Options of `profile`: what is counted, and how the table is opened. */
export type TableProfileOptions = ProfileOptions & OpenTableOptions;

/** Options of `compare`: what is counted, and how both tables are opened. */
export type TableCompareOptions = CompareOptions & OpenTableOptions;

const counting = loadedOnce(() => import("./count/index.ts"));
const profiling = loadedOnce(() => import("./profile/index.ts"));
const comparing = loadedOnce(() => import("./compare/index.ts"));

/**
 * Counts a column of a table, as `engine.histogram` counts it in memory. Rows without a value are `masked`.
 * @throws ERR_INPUT for options, a file that is no table, a column that does not exist or fit, and damage.
 */
export function histogram<const W extends WeightNames = never, B extends string | null | undefined = never>(
  engine: Engine,
  source: TableSource,
  options: TableHistogramOptions<W, B> = {} as TableHistogramOptions<W, B>,
): Promise<ResultOf<W, B, Histogram, Weighed>> {
  return withTable(source, options, HISTOGRAM_OPTIONS, async (table, own) => {
    const { histogramOf } = await counting();
    return (await histogramOf(engine, table, own as object)) as never;
  });
}

/**
 * Counts two to six columns of a table together, as `engine.joint` counts them in memory. Rows without one of the values
 * are `masked`.
 * @throws as `histogram`
 */
export function joint<const W extends WeightNames = never, B extends string | null | undefined = never>(
  engine: Engine,
  source: TableSource,
  options: TableJointOptions<W, B> = {} as TableJointOptions<W, B>,
): Promise<ResultOf<W, B, JointHistogram, WeightedJointHistogram>> {
  return withTable(source, options, JOINT_OPTIONS, async (table, own) => {
    const { jointOf } = await counting();
    return (await jointOf(engine, table, own as object)) as never;
  });
}

/**
 * Profiles a table, as `profile` of `@polybin/columns/profile` does.
 * @param source a table, or several open ones that are profiled together
 * @throws as that, and as `histogram`
 */
export function profile(
  engine: Engine,
  source: TableSource | readonly Table[],
  options: TableProfileOptions = {},
): Promise<ProfileJson> {
  return withTables(source, options, PROFILE_OPTIONS, async (tables, own) =>
    (await profiling()).profile(engine, tables, own),
  );
}

/**
 * Compares two tables column by column, as `compare` of `@polybin/columns/compare` does: what changed, and how far the
 * values moved.
 * @param a the table before, or several open ones that are profiled together
 * @param b the table after
 * @throws as that, and as `histogram`
 */
export function compare(
  engine: Engine,
  a: TableSource | readonly Table[],
  b: TableSource | readonly Table[],
  options: TableCompareOptions = {},
): Promise<ComparisonJson> {
  return withTables(a, options, COMPARE_OPTIONS, (before) =>
    withTables(b, options, COMPARE_OPTIONS, async (after, own) =>
      (await comparing()).compare(engine, before, after, own),
    ),
  );
}

/** The engine checks the parameters of algorithms. A backend may have its own, which need the name of the algorithm. */
function checkOptions(options: { readonly algorithm?: unknown }, names: readonly string[]): void {
  const given = Object.keys(options ?? {});
  const parameters =
    options?.algorithm === undefined ? given.filter((name) => PARAMETERS.includes(name)) : given;
  checkNames(options, [...new Set([...names, ...OPEN_TABLE_OPTIONS]), ...parameters]);
}

const PARAMETERS: readonly string[] = [...PARAMETER_NAMES, ...WEIGHTED_PARAMETER_NAMES];

/** Options by whom they are for. Some, such as the signal, are for both. @param names those of the call itself */
function split(
  options: object,
  names: readonly string[],
): { readonly opening: OpenTableOptions; readonly own: object } {
  const isOpening = (name: string): boolean => OPEN_TABLE_OPTIONS.includes(name);
  const entries = Object.entries(options);
  return {
    opening: Object.fromEntries(entries.filter(([name]) => isOpening(name))),
    own: Object.fromEntries(entries.filter(([name]) => names.includes(name) || !isOpening(name))),
  };
}

/** Opens a table for a call, and closes it. An open one stays open. */
function withTable<T>(
  source: TableSource,
  options: object,
  names: readonly string[],
  work: (table: Table, own: object) => Promise<T>,
): Promise<T> {
  const open = async (place: Location, opening: OpenTableOptions) => [await openAs(place, opening, noTable)];
  return using(source, options, names, open, ([table], own) => work(table!, own));
}

/** The same for tables that are open already, and for each file of a place, which need not have the same columns. */
function withTables<T>(
  source: TableSource | readonly Table[],
  options: object,
  names: readonly string[],
  work: (tables: readonly Table[], own: object) => Promise<T>,
): Promise<T> {
  if (Array.isArray(source)) return work(source, options);
  const open = (place: Location, opening: OpenTableOptions) => openEachAs(place, opening, noTable);
  return using(source as TableSource, options, names, open, work);
}

async function using<T>(
  source: TableSource,
  options: object,
  names: readonly string[],
  open: (place: Location, opening: OpenTableOptions) => Promise<Table[]>,
  work: (tables: readonly Table[], own: object) => Promise<T>,
): Promise<T> {
  checkOptions(options, names);
  const { opening, own } = split(options, names);
  if (isTable(source)) {
    const shared = OPEN_TABLE_OPTIONS.filter((name) => names.includes(name));
    checkNames(opening, shared, { of: "the options of an open table" });
    return work([source], own);
  }
  const tables = await open(source, opening);
  try {
    return await work(tables, own);
  } finally {
    await Promise.all(tables.map((table) => table.close()));
  }
}

function isTable(source: unknown): source is Table {
  return typeof source === "object" && source !== null && "read" in source && "columns" in source;
}

const noTable = (name: string): PolybinError =>
  new PolybinError(
    "ERR_INPUT",
    `${name}: expected a table but neither its first bytes nor its name show one; pass format: one of ${namesOfFormats()}; ` +
      "decode a picture with @polybin/pictures, and pass plain values as a stream with their type",
  );

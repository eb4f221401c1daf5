import { type ColumnInfo, type LogicalType, statedExtent } from "@polybin/columns";
import { type Axis, boolean, integer, PolybinError } from "@polybin/core";
import { type AxisOptions, axisBeforehand, binsOf, dataRange } from "@polybin/core/backend";
import { checkTask } from "./check-task.ts";
import type { Inputs } from "./inputs.ts";
import { roundedOutwards } from "./outwards.ts";
import type { ColumnExtent } from "./payload.ts";
import { storedType } from "./stored-type.ts";
import type { Count, Task, TaskColumn } from "./task.ts";

/** A column to count, and its bins. */
export interface ColumnPlan {
  readonly name: string;
  /**
   * As for the engine. Default: 256 bins over the range of the type for 8 and 16 bits, else over that of the data. Up to
   * 256 different integers or days have one bin per value.
   */
  readonly axis?: AxisOptions | undefined;
}

/** The columns to count, and their bins. */
export interface Plan {
  /** With "extent", the task finds the extents of all columns, whatever the files state. */
  readonly count: Exclude<Count, "profile">;
  readonly columns: readonly ColumnPlan[];
  /** The column of the groups. */
  readonly by?: string | null | undefined;
  /** The extents that a first pass found, by the names of their columns. */
  readonly extents?: ReadonlyMap<string, ColumnExtent> | undefined;
}

/**
 * Makes the task of a plan. If the data decide the range of a column, and neither `extents` nor the statistics of the
 * files state it, the result is the task of the first pass instead: its `count` is "extent". Count it, pass the extents,
 * and plan again.
 * @throws ERR_INPUT for unknown columns, ERR_UNSUPPORTED for those that cannot be counted, ERR_AXIS for invalid bins.
 */
export function planTask(inputs: Inputs, { count, columns, by = null, extents = new Map() }: Plan): Task {
  const found = columns.map(({ name, axis = {} }) => {
    const info = inputs.column(name);
    const stated = () => extents.get(name) ?? statedExtent(inputs.tables, name);
    return { info, axis: count === "extent" ? "unknown" : axisOf(count, info, axis, stated) };
  });
  const unknown = found.filter(({ axis }) => axis === "unknown");
  const isExtent = unknown.length > 0;
  const groups = by === null ? null : groupColumn(inputs.column(by));
  const planned = (isExtent ? unknown : found).map(
    ({ info: { name, type }, axis }): TaskColumn => ({ name, type, axis: axis === "unknown" ? null : axis }),
  );
  const task = {
    version: 1,
    count: isExtent ? "extent" : count,
    files: inputs.files,
    columns: planned,
    by: isExtent ? null : groups,
    read: inputs.read,
    options: {},
  };
  // As a worker receives it.
  return checkTask(JSON.parse(JSON.stringify(task)));
}

/** Returns the columns of a plan whose range is the one that the files state. */
export function statedColumns(inputs: Inputs, { count, columns, extents }: Plan): readonly ColumnPlan[] {
  return columns.filter(({ name, axis = {} }) => {
    const isUnknown = axisOf(count, inputs.column(name), axis, () => null) === "unknown";
    return isUnknown && extents?.has(name) !== true;
  });
}

/** The bins of a column. Null for strings. Unknown if the data decide the range and nothing states it. */
function axisOf(
  count: Count,
  { name, type }: ColumnInfo,
  options: AxisOptions,
  statedIn: () => ColumnExtent | null,
): Axis | null | "unknown" {
  if (type.kind === "string" && count === "joint") {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected columns of numbers for joint but ${JSON.stringify(name)} has strings; polybin hist --by counts one histogram per string`,
    );
  }
  if (type.kind === "string") {
    if (options.axis === undefined && options.range === undefined) return null;
    throw new PolybinError(
      "ERR_INPUT",
      `expected no range and no edges for column ${JSON.stringify(name)}, which has strings`,
    );
  }
  if (type.kind === "boolean") return boolean();
  const stored = storedType(type);
  const { range } = options;
  const given = typeof range === "object" ? eachOf(type, options, ...range) : null;
  const known = given ?? axisBeforehand(stored, options);
  if (known !== null) return known;
  const extent = statedIn();
  if (extent === null) return "unknown";
  const { min, max } = roundedOutwards(extent);
  return eachOf(type, options, min, max) ?? dataRange(binsOf(options), stored, min, max);
}

/** One bin per value. Null for more values than bins, and if their number is given: bins between them would be empty. */
function eachOf(type: LogicalType, options: AxisOptions, min: number, max: number): Axis | null {
  const isEach = options.bins === undefined && options.axis === undefined && isWhole(type);
  if (!isEach || !Number.isInteger(min) || !Number.isInteger(max)) return null;
  return min <= max && max - min < binsOf(options) ? integer(min, max + 1) : null;
}

/** Whether each stored number is a value of its own: an integer or a day. */
function isWhole(type: LogicalType): boolean {
  if (type.kind === "number") return !type.type.startsWith("f");
  return type.kind === "date" && type.unit === "day";
}

/** @throws ERR_UNSUPPORTED for numbers with fractions, which make no groups */
function groupColumn({ name, type }: ColumnInfo): TaskColumn {
  if (type.kind !== "number" || !type.type.startsWith("f")) return { name, type, axis: null };
  throw new PolybinError(
    "ERR_UNSUPPORTED",
    `expected a column of strings, integers or booleans for the groups but ${JSON.stringify(name)} has ${type.type}; ` +
      "polybin joint counts two columns of numbers together",
  );
}

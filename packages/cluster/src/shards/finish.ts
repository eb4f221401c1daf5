import { type Axis, category, Histogram, JointHistogram, PolybinError } from "@polybin/core";
import { broken } from "./bytes.ts";
import { addTo, type Cells, totalOf } from "./cells.ts";
import { cellsOfJoint, extentOf } from "./joint-cells.ts";
import { missingShards, type PartialResult, shardNames } from "./partial.ts";
import type { ColumnExtent, Counts, ProfilePayload, Row } from "./payload.ts";
import { storedType } from "./stored-type.ts";
import { type Task, type TaskColumn, taskId } from "./task.ts";

/** The counts of one group of a column. */
export interface GroupResult {
  /** The group's value as text: integers and booleans as digits. Null: rows without a group, or no groups. */
  readonly group: string | null;
  /** Its axis is that of the column. Its `masked` is the number of nulls. */
  readonly histogram: Histogram;
}

/** The counts of a column. */
export interface ColumnResult {
  readonly column: TaskColumn;
  /** Bins of the column. For strings, a category axis in descending order of the counts. Null if there is no string. */
  readonly axis: Axis | null;
  /** Without groups, one. Empty if there are no rows, or no string. */
  readonly groups: readonly GroupResult[];
  /** Null values in all groups. */
  readonly nulls: number;
}

/** The result of a whole task. */
export type TaskResult =
  | { readonly count: "hist"; readonly rows: number; readonly columns: readonly ColumnResult[] }
  | { readonly count: "joint"; readonly rows: number; readonly joint: JointHistogram }
  | { readonly count: "extent"; readonly rows: number; readonly extents: ReadonlyMap<string, ColumnExtent> }
  | ProfilePayload;

/**
 * Makes the result of a task from the merge of all its shards.
 * @throws ERR_INPUT if a shard is missing (the message names it), or the partial belongs to another task.
 */
export function finish(task: Task, partial: PartialResult): TaskResult {
  if (partial.task !== taskId(task) || partial.payload.count !== task.count) {
    throw new PolybinError(
      "ERR_INPUT",
      "expected the partial results of the task but received those of another",
    );
  }
  const missing = missingShards(partial);
  if (missing.length > 0) {
    throw new PolybinError(
      "ERR_INPUT",
      `expected all shards from 0 to ${partial.of - 1} but some are missing: ${shardNames(missing)}; count them and merge again`,
    );
  }
  const { payload } = partial;
  const { rows } = payload;
  switch (payload.count) {
    case "profile":
      return payload;
    case "extent": {
      checkNumber(payload.extents, task);
      return {
        count: payload.count,
        rows,
        extents: new Map(task.columns.map(({ name }, i) => [name, payload.extents[i]!])),
      };
    }
    case "hist": {
      checkNumber(payload.columns, task);
      return {
        count: payload.count,
        rows,
        columns: task.columns.map((column, i) => columnResult(column, payload.columns[i]!, task)),
      };
    }
    case "joint":
      return { count: payload.count, rows, joint: jointResult(task, payload.columns[0]?.rows[0] ?? null) };
  }
}

function checkNumber(of: readonly unknown[], { columns }: Task): void {
  if (of.length !== columns.length)
    throw broken(`it has ${of.length} columns and its task ${columns.length}`);
}

function columnResult(column: TaskColumn, counts: Counts, { by }: Task): ColumnResult {
  if ((counts.strings === null) !== (column.axis !== null))
    throw broken(`column ${JSON.stringify(column.name)} is counted in a wrong way`);
  if (by === null && counts.rows.some(({ group }) => group !== null))
    throw broken("it has groups and its task none");
  // Without rows, a column of numbers still has its bins.
  const isEmpty = counts.rows.length === 0 && by === null;
  const rows: readonly Row[] = isEmpty ? [{ group: null, cells: NO_CELLS }] : counts.rows;
  const found = counts.strings === null ? binned(column, rows) : categories(column, counts.strings, rows);
  return { column, ...found };
}

const NO_CELLS: Cells = { cells: new Uint32Array(0), counts: new Float64Array(0) };

function binned({ axis, type }: TaskColumn, rows: readonly Row[]): Omit<ColumnResult, "column"> {
  const own = axis!;
  const outside = 4;
  let nulls = 0;
  const groups = rows.map(({ group, cells }): GroupResult => {
    const all = spread(cells, own.bins + outside);
    const [underflow, overflow, nan, masked] = all.subarray(own.bins) as unknown as [
      number,
      number,
      number,
      number,
    ];
    nulls += masked;
    const counts = { counts: all.slice(0, own.bins), underflow, overflow, nan, masked };
    return { group, histogram: new Histogram(own, storedType(type), counts) };
  });
  return { axis: own, groups, nulls };
}

/** Categories descend by their counts in all groups. Equal counts ascend by their strings. */
function categories(
  { type }: TaskColumn,
  strings: readonly string[],
  rows: readonly Row[],
): Omit<ColumnResult, "column"> {
  const each = rows.map(({ group, cells }) => ({ group, all: spread(cells, strings.length + 1) }));
  const nulls = each.reduce((sum, { all }) => sum + all[strings.length]!, 0);
  if (strings.length === 0) return { axis: null, groups: [], nulls };
  const totals = strings.map((_, i) => each.reduce((sum, { all }) => sum + all[i]!, 0));
  const order = [...strings.keys()].sort((a, b) => totals[b]! - totals[a]! || a - b);
  const axis = category(order.map((i) => strings[i]!));
  const groups = each.map(({ group, all }): GroupResult => {
    const counts = Float64Array.from(order, (i) => all[i]!);
    const numbers = { counts, underflow: 0, overflow: 0, nan: 0, masked: all[strings.length]! };
    return { group, histogram: new Histogram(axis, storedType(type), numbers) };
  });
  return { axis, groups, nulls };
}

function jointResult({ columns }: Task, row: Row | null): JointHistogram {
  const axes = columns.map(({ axis }) => axis!);
  const cells = cellsOfJoint(axes);
  const all = spread(row?.cells ?? NO_CELLS, cells + 1);
  return new JointHistogram(
    axes,
    columns.map(({ type }) => storedType(type)),
    { cells: all.slice(0, cells), extents: axes.map(extentOf), masked: all[cells]! },
  );
}

function spread(cells: Cells, length: number): Float64Array {
  if ((cells.cells.at(-1) ?? 0) >= length) throw broken(`it has more cells than the ${length} of its task`);
  const all = new Float64Array(length);
  addTo(all, cells);
  totalOf(cells);
  return all;
}

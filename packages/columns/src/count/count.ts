import {
  type Axis,
  type Engine,
  type Grouped,
  type Histogram,
  type JointHistogram,
  PolybinError,
  type Weighed,
  type WeightedJointHistogram,
} from "@polybin/core";
import { type AxisOptions, expected } from "@polybin/core/backend";
import {
  damaged,
  freeing,
  type KeptTable,
  keptTables,
  quoted,
  type ReadProgress,
  type Table,
} from "../table/index.ts";
import { type AxisOf, axisOf, planAxis } from "./axes.ts";
import { Counter } from "./counter.ts";
import { GroupedBy } from "./grouped-by.ts";
import type { Keys } from "./keys.ts";
import {
  AXIS_OPTIONS,
  type Choice,
  type ColumnHistogramOptions,
  type ColumnsJointOptions,
  type ResultOf,
  type WeightNames,
} from "./options.ts";
import { checkDifferent, type Picked, pick } from "./pick.ts";
import { namesOf } from "./rows.ts";
import { StatedEnds } from "./stated-ends.ts";
import { survey } from "./survey.ts";

type By = string | null | undefined;

/**
 * Counts a column of a table, as the engine's `histogram` counts the column in memory. Memory stays bounded, but for a rule
 * for the number of bins, which takes the memory of the column. Rows without a value are `masked`.
 *
 * The table is read once if the options or the statistics of the file give the range and there are no groups, or if its columns
 * fit `keepBytes`. Otherwise it is read twice. If values lie outside of the statistics, it is read again for its own range.
 * @throws ERR_INPUT for options, columns that do not exist or do not fit, and damage.
 * @throws ERR_LIMIT for a table that would be read twice, and can be read only once.
 */
export async function histogramOf<const W extends WeightNames = never, B extends By = never>(
  engine: Engine,
  table: Table,
  options: ColumnHistogramOptions<W, B> = {} as ColumnHistogramOptions<W, B>,
): Promise<ResultOf<W, B, Histogram, Weighed>> {
  const { column, ...rest } = options;
  const axis = Object.fromEntries(AXIS_OPTIONS.map((name) => [name, options[name]]));
  const columns = column === undefined ? undefined : [column];
  const asked = { columns, option: { name: "column", count: 1 }, axes: [axis as AxisOptions] };
  return (await counted(engine, table, asked, without(rest, AXIS_OPTIONS))) as never;
}

/**
 * Counts two to six columns of a table together, as the engine's `joint` counts them in memory. A row without a value in one
 * of them is `masked`. Passes and errors are those of `histogramOf`.
 */
export async function jointOf<const W extends WeightNames = never, B extends By = never>(
  engine: Engine,
  table: Table,
  options: ColumnsJointOptions<W, B> = {} as ColumnsJointOptions<W, B>,
): Promise<ResultOf<W, B, JointHistogram, WeightedJointHistogram>> {
  const { columns, axes, ...rest } = options;
  if (columns !== undefined && (!Array.isArray(columns) || columns.length < 2))
    throw expected("ERR_INPUT", "columns", "the names of two to six columns", columns);
  const asked = { columns, option: { name: "columns", count: columns?.length ?? 2 }, axes };
  return (await counted(engine, table, asked, rest)) as never;
}

function without<T extends object>(options: T, names: readonly string[]): Rest {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));
}

/** Bytes of columns that a call keeps by default, so that it need not decode them again. */
const KEPT_BYTES = 268_435_456;

/** The counted columns of a call. */
interface Asked {
  readonly columns: readonly string[] | undefined;
  /** The option that names them, and their number. */
  readonly option: { readonly name: string; readonly count: number };
  readonly axes: readonly (Axis | AxisOptions)[] | undefined;
}

type Rest = Omit<ColumnsJointOptions, "columns" | "axes">;

async function counted(engine: Engine, table: Table, asked: Asked, rest: Rest): Promise<unknown> {
  const { by, mask, weights, keepBytes = KEPT_BYTES, signal, onProgress, ...choice } = rest;
  if (onProgress !== undefined && typeof onProgress !== "function")
    throw expected("ERR_INPUT", "onProgress", "a function", onProgress);
  if (!Number.isSafeInteger(keepBytes) || keepBytes < 0)
    throw expected("ERR_INPUT", "keepBytes", "a whole number of at least 0", keepBytes);
  const isList = Array.isArray(weights);
  const weightNames = weights == null ? [] : isList ? weights : [weights as string];
  const picked = pick(table, { columns: asked.columns, by, mask, weights: weightNames }, asked.option);
  checkDifferent(picked);
  const options = axesIn(asked.axes, picked.counted.length);
  const plans = [];
  for (const [i, column] of picked.counted.entries())
    plans.push(await planAxis(engine, table, column, options[i]!, weightNames.length > 0));
  const work = { engine, table, picked, by, isList, choice, keepBytes, signal, onProgress };
  const hasStated = plans.some(({ stated }) => stated !== null);
  const isSurveyed = picked.by !== null || plans.some(({ known }) => known === null);
  if (!hasStated) return countedBy(work, plans, 0);
  // A pass that reads the values anyway finds their ends.
  const own = plans.map((plan) => (plan.stated === null ? plan : { ...plan, known: null, stated: null }));
  if (isSurveyed) return countedBy(work, own, 0);
  return (await countedBy(work, plans, 0)) ?? countedBy(work, own, 1);
}

/** A call, apart from its axes. */
interface Work {
  readonly engine: Engine;
  readonly table: Table;
  readonly picked: Picked;
  readonly by: By;
  readonly isList: boolean;
  readonly choice: Choice;
  readonly keepBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: Rest["onProgress"];
}

/**
 * Counts with the axes of some plans.
 * @param before passes that were made before
 * @returns null if values lie outside of the ends that the file states
 */
async function countedBy(work: Work, plans: readonly AxisOf[], before: number): Promise<unknown> {
  const { engine, table, picked, by, isList, choice, keepBytes, signal, onProgress } = work;
  const unknown = plans.filter(({ known }) => known === null);
  const passes = before + (unknown.length > 0 || picked.by !== null ? 2 : 1);
  const talk = (pass: number) => ({
    signal,
    ...(onProgress && {
      onProgress: (progress: ReadProgress) => onProgress({ pass, passes, ...progress }),
    }),
  });
  const columns = namesOf(picked);
  const [twice] = keptTables([table], keepBytes) as [KeptTable];
  const first = { table: twice, columns, ...talk(before + 1) };
  const found = passes - before === 2 ? await survey(engine, first, unknown, picked.by) : null;
  const keys = found?.keys ?? null;
  checkGroups(table, keys, by);
  const axes: Axis[] = [];
  for (const plan of plans) axes.push(await axisOf(engine, plan, found?.values ?? null));
  const counter = new Counter(engine, { picked, axes, keys, isList, choice });
  const check = new StatedEnds(engine, plans, picked.weights.length > 0);
  try {
    const source = found === null ? table : twice;
    const batches = source.read({ columns, ...talk(passes) });
    await counter.add(check.watched(batches, columns), signal, freeing(source));
    const result = await counter.take(signal);
    if (check.areWrong(result)) return null;
    if (keys === null) return result;
    return isList ? (result as unknown[]).map((one) => grouped(one, keys)) : grouped(result, keys);
  } finally {
    await counter.free();
  }
}

const grouped = (result: unknown, keys: Keys): GroupedBy =>
  new GroupedBy((result as Grouped).joint, keys.values());

/** @throws ERR_INPUT unless there is a group */
function checkGroups(table: Table, keys: Keys | null, by: By): void {
  if (keys?.size !== 0) return;
  throw damaged(table.name, `expected rows, whose values of ${quoted(by!)} are the groups, but it has none`);
}

/** Returns the options of each axis. @throws ERR_INPUT unless there are as many as columns */
function axesIn(given: Asked["axes"], count: number): AxisOptions[] {
  if (given === undefined) return Array.from({ length: count }, () => ({}));
  if (!Array.isArray(given) || given.length !== count) {
    const received = Array.isArray(given) ? given.length : given;
    throw expected("ERR_INPUT", "axes", `an array of ${count}, one per column,`, received);
  }
  return given.map((axis: Axis | AxisOptions) => {
    if (typeof axis !== "object" || axis === null)
      throw new PolybinError("ERR_INPUT", "expected an axis, or its bins and range, for each of axes");
    return "type" in axis ? { axis } : axis;
  });
}

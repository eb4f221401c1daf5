import { type Axis, boolean, type Engine, PolybinError } from "@polybin/core";
import { type AxisOptions, arrayOver, axisBeforehand } from "@polybin/core/backend";
import {
  type ColumnInfo,
  type StatedExtent,
  sampleTypeOf,
  statedExtent,
  type Table,
  type ValueArray,
} from "../table/index.ts";

/** A first pass finds the extent of a column for its axis, or all of its values for a rule. */
export type Need = "extent" | "values";

/** A column and its bins. */
export interface AxisOf {
  readonly column: ColumnInfo;
  readonly options: AxisOptions;
  /** The values that decide the axis, if a first pass is not needed. Null: it is. */
  readonly known: ValueArray | null;
  readonly need: Need;
  /** The ends that the file states. Null: they are not needed. A count finds out whether they are right. */
  readonly stated: StatedExtent | null;
}

/**
 * Plans the axis of a column: the one that the engine would take for the column's values in memory.
 * @param isWeighted whether weights are added up, which rules for bins ignore
 * @throws ERR_INPUT, ERR_AXIS, ERR_LIMIT for options that make no axis; ERR_UNSUPPORTED for a rule next to weights.
 */
export async function planAxis(
  engine: Engine,
  table: Table,
  column: ColumnInfo,
  given: AxisOptions,
  isWeighted: boolean,
): Promise<AxisOf> {
  const type = sampleTypeOf(column.type)!;
  const isDefault = Object.values(given).every((value) => value === undefined);
  const options = column.type.kind === "boolean" && isDefault ? { axis: boolean() } : given;
  // The engine checks the options, and says what is wrong with them.
  const none = emptyOf(column);
  await engine.histogram(none, options);
  if (isWeighted && typeof options.bins === "string") {
    throw new PolybinError(
      "ERR_UNSUPPORTED",
      `expected a number of bins with weights but received the rule ${options.bins}, which ignores weights`,
    );
  }
  const base = { column, options, need: "extent", stated: null } as const;
  if (typeof options.bins === "string") return { ...base, known: null, need: "values" };
  const isKnown = typeof options.range === "object" || axisBeforehand(type, options) !== null;
  if (isKnown) return { ...base, known: none };
  const stated = statedExtent([table], column.name);
  if (stated === null) return { ...base, known: null };
  const known = stated.min <= stated.max ? endsOf(column, stated.min, stated.max) : none;
  return { ...base, known, stated };
}

/** Returns the axis of a column. @param found values from which the engine makes it, by the names of columns */
export async function axisOf(
  engine: Engine,
  { column, options, known }: AxisOf,
  found: ReadonlyMap<string, ValueArray> | null,
): Promise<Axis> {
  const values = known ?? found?.get(column.name) ?? emptyOf(column);
  return (await engine.histogram(values, options)).axis;
}

/** The ends of a column's values as samples, from which the engine makes the same axis as from all values. */
export function endsOf(column: ColumnInfo, min: number | bigint, max: number | bigint): ValueArray {
  const type = sampleTypeOf(column.type)!;
  if (type !== "i64" && type !== "u64") {
    const none = emptyOf(column);
    const ends = new (none.constructor as new (length: number) => Float64Array)(2);
    ends.set([Number(min), Number(max)]);
    return ends;
  }
  const [least, most] = type === "i64" ? [-(2n ** 63n), 2n ** 63n - 1n] : [0n, 2n ** 64n - 1n];
  // The nearest double above the largest integer is not one of the type.
  const [low, high] = [min, max].map((end) => {
    const exact = BigInt(end);
    return exact < least ? least : exact > most ? most : exact;
  });
  return type === "i64" ? BigInt64Array.of(low!, high!) : BigUint64Array.of(low!, high!);
}

/** An array without values of a column's type. */
function emptyOf(column: ColumnInfo): ValueArray {
  const type = sampleTypeOf(column.type)!;
  if (type === "i64") return new BigInt64Array(0);
  return type === "u64" ? new BigUint64Array(0) : arrayOver(type, new Uint8Array(0));
}

import { type Engine, PolybinError } from "@polybin/core";
import {
  type Chunk,
  type ColumnInfo,
  canReread,
  type KeptTable,
  quoted,
  type ReadOptions,
  type StatedExtent,
  type Table,
  type ValueArray,
  valuesOf,
} from "../table/index.ts";
import { type AxisOf, endsOf } from "./axes.ts";
import { Keys } from "./keys.ts";

/** The findings of the first pass. */
export interface Found {
  /** Values from which the engine makes the axis of a column: both ends, or all of them. */
  readonly values: ReadonlyMap<string, ValueArray>;
  /** The values of the column of groups. Null: there is none. */
  readonly keys: Keys | null;
}

/** The table of a first pass, and how it is read. */
interface Reading extends Pick<ReadOptions, "signal" | "onProgress"> {
  readonly table: KeptTable;
  /** Names of the columns that the call needs, each once. */
  readonly columns: readonly string[];
}

/**
 * Reads the columns of a call, whose data decide an axis or the groups.
 * @param by the column of groups
 * @throws ERR_LIMIT for a table that can be read only once and does not fit in memory, and for too many groups.
 */
export async function survey(
  engine: Engine,
  { table, ...reading }: Reading,
  axes: readonly AxisOf[],
  by: ColumnInfo | null,
): Promise<Found> {
  const asked = axes.map((axis) => ({ axis, seen: axis.need === "values" ? new All() : new Ends(engine) }));
  const keys = by === null ? null : new Keys(table, by);
  for await (const batch of table.read(reading)) {
    if (!table.fits) checkReadable(table, axes, by);
    const chunkOf = (name: string): Chunk => batch.columns[reading.columns.indexOf(name)]!;
    for (const { axis, seen } of asked) {
      const chunk = chunkOf(axis.column.name);
      if ("values" in chunk) await seen.add(valuesOf(chunk));
    }
    if (keys !== null) keys.add(chunkOf(by!.name));
  }
  reading.signal?.throwIfAborted();
  const values = asked.flatMap(({ axis, seen }) => {
    const own = seen instanceof Ends ? seen.of(axis) : seen.take();
    return own === null ? [] : [[axis.column.name, own] as const];
  });
  keys?.sort();
  return { values: new Map(values), keys };
}

/** @throws ERR_LIMIT */
function checkReadable(table: Table, axes: readonly AxisOf[], by: ColumnInfo | null): void {
  if (canReread(table)) return;
  const [first] = axes;
  const what =
    first === undefined
      ? `the groups of ${quoted(by!.name)} are found first; save it as a file`
      : `the range of ${quoted(first.column.name)} is found first; pass range: [lo, hi], or save it as a file`;
  throw new PolybinError(
    "ERR_LIMIT",
    `${table.name}: expected a table that can be read twice, or a larger keepBytes, because ${what}`,
  );
}

/** The smallest and the largest finite value. */
export class Ends {
  readonly #engine: Engine;
  #min = Infinity;
  #max = -Infinity;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async add(values: ValueArray): Promise<void> {
    const { min, max } = await this.#engine.extent(values);
    this.#min = Math.min(this.#min, min);
    this.#max = Math.max(this.#max, max);
  }

  /** Whether a value lies outside of an extent. */
  exceed({ min, max }: StatedExtent): boolean {
    return this.#min < min || this.#max > max;
  }

  of({ column }: AxisOf): ValueArray | null {
    return this.#min <= this.#max ? endsOf(column, this.#min, this.#max) : null;
  }
}

/** All values, for a rule that reads them. */
class All {
  readonly #pieces: ValueArray[] = [];

  async add(values: ValueArray): Promise<void> {
    this.#pieces.push(values);
  }

  take(): ValueArray | null {
    const [first] = this.#pieces;
    if (first === undefined) return null;
    const length = this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
    const all = new (first.constructor as new (length: number) => Float64Array)(length);
    let filled = 0;
    for (const piece of this.#pieces) {
      all.set(piece as Float64Array, filled);
      filled += piece.length;
    }
    return all;
  }
}

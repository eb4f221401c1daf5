import type { FormatOptions } from "./formats/index.ts";
import {
  type Batch,
  canReread,
  type LogicalType,
  lendAs,
  type ReadOptions,
  type Table,
  WrappedTable,
} from "./table/index.ts";

type TypesOption = NonNullable<FormatOptions["types"]>;

/** The types of numbers that files of text show, narrow ones first. An f64 reads the texts of all. */
const NUMBERS = ["i32", "i64", "f64"] as const;
/** The units of times that they show. */
const UNITS = ["ms", "us", "ns"] as const;

/**
 * Returns types for the columns that files of text show with different ones, by the names of the columns. One of these types
 * reads the texts of all files, as one file with all rows would show.
 */
export function widerTypes(tables: readonly Table[]): TypesOption {
  const types = new Map<string, Map<string, LogicalType>>();
  const others = new Set<string>();
  for (const table of tables) {
    for (const { name, type } of table.columns) {
      const own = types.get(name) ?? new Map<string, LogicalType>();
      types.set(name, own.set(JSON.stringify(type), type));
      if (!isText(table)) others.add(name);
    }
  }
  return Object.fromEntries(
    [...types].flatMap(([name, own]) => {
      const wide = own.size < 2 || others.has(name) ? null : widest([...own.values()]);
      return wide === null ? [] : [[name, wide]];
    }),
  );
}

/**
 * Opens tables again whose columns have a wider type in others. A table that can be read only once stays as it is.
 * @param given wider types that are known. Default: those that the tables show
 * @param open opens tables with wider types, by their places among all
 */
export async function widened(
  tables: readonly Table[],
  given: TypesOption | undefined,
  open: (wider: TypesOption, which: readonly number[]) => Promise<Table[]>,
): Promise<Table[]> {
  const wider = given ?? widerTypes(tables);
  const which = [...tables.keys()].filter((i) => isNarrow(tables[i]!, wider) && canReread(tables[i]!));
  const all = [...tables];
  if (which.length === 0) return all;
  try {
    await Promise.all(which.map((i) => tables[i]!.close()));
    const again = await open(wider, which);
    for (const [at, i] of which.entries()) all[i] = again[at]!;
    return all;
  } catch (error) {
    await Promise.allSettled(tables.map((table) => table.close()));
    throw error;
  }
}

/**
 * Opens a table, and again with wider types if it shows narrower ones.
 * @param options those of the formats
 */
export async function widerIn<O extends Pick<FormatOptions, "types">>(
  wider: TypesOption,
  options: O,
  open: (options: O) => Promise<Table>,
): Promise<Table> {
  const table = await open(options);
  const own = narrowIn(table, wider);
  if (Object.keys(own).length === 0) return table;
  return new WidenedTable(await open({ ...options, types: { ...options.types, ...own } }), own);
}

const isNarrow = (table: Table, wider: TypesOption): boolean =>
  Object.keys(narrowIn(table, wider)).length > 0;

/** Returns the types that a table shows narrower than those of several files. */
function narrowIn(table: Table, wider: TypesOption): TypesOption {
  const narrow = table.columns.filter(
    ({ name, type }) => isText(table) && Object.hasOwn(wider, name) && nameOf(type) !== wider[name],
  );
  return Object.fromEntries(narrow.map(({ name }) => [name, wider[name]!]));
}

/** A table that was opened with wider types than its own first rows show. */
class WidenedTable extends WrappedTable {
  readonly readCounts?: NonNullable<Table["readCounts"]>;
  readonly #types: TypesOption;

  constructor(table: Table, types: TypesOption) {
    super(table);
    this.#types = types;
    lendAs(this, table);
    if (table.readCounts !== undefined) this.readCounts = (options) => table.readCounts!(options);
  }

  override get guessed(): Readonly<Record<string, unknown>> {
    return { ...super.guessed, types: this.#types };
  }

  read(options?: ReadOptions): AsyncIterable<Batch> {
    return this.table.read(options);
  }
}

const isText = ({ format }: Table): boolean => format === "csv" || format === "jsonl";

function widest(types: readonly LogicalType[]): TypesOption[string] | null {
  const names = types.map(nameOf);
  if (names.includes("f64") && types.every(({ kind }) => kind === "number")) return "f64";
  const number = widestOf(names, NUMBERS);
  if (number !== null) return number;
  const times = types.filter((type) => type.kind === "timestamp");
  const isAlike =
    times.length === types.length && times.every(({ timezone }) => timezone === times[0]!.timezone);
  const unit = isAlike
    ? widestOf(
        times.map((type) => type.unit),
        UNITS,
      )
    : null;
  return unit === null ? null : `timestamp[${unit}]`;
}

/** The last one of an order. Null if a name is not in it. */
function widestOf<N extends string>(names: readonly string[], order: readonly N[]): N | null {
  const places = names.map((name) => (order as readonly string[]).indexOf(name));
  return places.includes(-1) ? null : order[Math.max(...places)]!;
}

/** The name of a type that `types` may state. */
function nameOf(type: LogicalType): string {
  if (type.kind === "number") return type.type;
  return type.kind === "timestamp" ? `timestamp[${type.unit}]` : type.kind;
}

import {
  type Batch,
  type ColumnInfo,
  openTableInPage,
  type Table,
  type ValueArray,
} from "@polybin/columns/page";
import { type Engine, integer, openEngine, regular } from "@polybin/core";
import type {
  BinCounts,
  Counts,
  FromColumnWorker,
  Listed,
  Logical,
  Stats,
  ToColumnWorker,
  ValueCounts,
  Wanted,
} from "./messages.ts";
import { checkExact, numbersIn } from "./numbers.ts";
import { QUANTILES } from "./quantiles.ts";
import { has, Texts } from "./texts.ts";

/** The most values of a column: 512 MiB of doubles. */
const MOST_VALUES: number = 2 ** 26;
/** The most whole values with one bin for each, as in the command. */
const MOST_EACH = 256;
/** The most different strings that the page receives. */
const MOST_TOP = 1000;

let file: { readonly blob: Blob; readonly name: string; readonly format: string | undefined } | null = null;
let opening: Promise<Engine> | null = null;
let kept: Kept | null = null;

/** A column that was read. */
type Kept = { readonly column: string; readonly type: Logical; readonly nulls: number } & (
  | {
      readonly values: ValueArray;
      /** Whether every value is an integer or a day. */
      readonly isWhole: boolean;
      readonly stats: Stats | null;
    }
  | {
      readonly values: null;
      readonly rows: number;
      readonly distinct: number;
      readonly top: ValueCounts["top"];
    }
);

/** Pasted text and files without an ending have no name of a format. Neither has .txt. */
const isText = (name: string): boolean => !/\.[a-z0-9]+$/i.test(name) || /\.txt$/i.test(name);

const DOUBLES: Logical = { kind: "number", type: "f64" };

/** A list of numbers becomes a column. Other text is CSV, if it has at least two columns. */
async function opened(blob: Blob, name: string): Promise<FromColumnWorker> {
  kept = null;
  if (isText(name)) {
    const numbers = numbersIn(await blob.text());
    if (numbers !== null) {
      const isWhole = numbers.every(Number.isInteger);
      kept = { column: "value", type: DOUBLES, nulls: 0, values: numbers, isWhole, stats: statsOf(numbers) };
      file = null;
      const columns = [{ name: "value", type: DOUBLES, problem: null }];
      return { format: "numbers", rows: numbers.length, columns };
    }
  }
  file = { blob, name, format: isText(name) ? "csv" : undefined };
  await using table = await openedTable(file);
  if (isText(name) && table.columns.length === 1) {
    const line = JSON.stringify(table.columns[0]!.name.slice(0, 40));
    throw new Error(
      `expected numbers, or a table of several columns, but it is text that begins with ${line}; save it as .csv to count its lines`,
    );
  }
  return { format: table.format, rows: table.rows, columns: table.columns.map(listed) };
}

async function openedTable({ blob, name, format }: NonNullable<typeof file>): Promise<Table> {
  try {
    return await openTableInPage(blob, name, { format });
  } catch (cause) {
    // The page names the file itself, and the library's advice is for programs.
    const said = (cause as Error).message.replace(`${name}: `, "");
    throw new Error(said.replace("pass format: one of", "the page reads"), { cause });
  }
}

const listed = ({ name, type }: ColumnInfo): Listed => ({
  name,
  type,
  problem: type.kind === "refused" ? type.reason : null,
});

/** Reads a column, unless it was read last. */
async function read(column: string): Promise<Kept> {
  if (kept?.column === column || file === null) return kept!;
  await using table = await openedTable(file);
  const { type } = table.columns.find(({ name }) => name === column)!;
  kept = {
    column,
    type,
    ...(type.kind === "string" ? await texts(table, column) : await values(table, column, type)),
  };
  return kept;
}

async function texts(table: Table, column: string) {
  const found = new Texts();
  for await (const { columns } of table.read({ columns: [column] })) found.add(columns[0]!);
  const all = found.sorted();
  return {
    values: null,
    nulls: found.nulls,
    rows: found.rows,
    distinct: all.length,
    top: all.slice(0, MOST_TOP),
  };
}

/** Reads a column with the type that the table gives it. An integer of 64 bits past 2^53 is an error. */
async function values(table: Table, column: string, type: Logical) {
  const scale = type.kind === "decimal" ? 10 ** type.scale : 1;
  const parts: ValueArray[] = [];
  let total = 0;
  let nulls = 0;
  for await (const batch of table.read({ columns: [column] })) {
    const part = withoutNulls(batch, type);
    nulls += batch.columns[0]!.nulls;
    total += part.length;
    if (total > MOST_VALUES)
      throw new Error(`expected at most ${MOST_VALUES.toLocaleString("en")} values but the column has more`);
    parts.push(
      scale === 1
        ? part
        : Float64Array.from(part as ArrayLike<number | bigint>, (value) => Number(value) / scale),
    );
  }
  const all = joined(parts, total);
  const isWhole =
    type.kind === "number" ? !type.type.startsWith("f") : type.kind === "date" && type.unit === "day";
  return { values: all, nulls, isWhole, stats: statsOf(all) };
}

/** The values of a batch that are not null. */
function withoutNulls({ columns, rows }: Batch, type: Logical): ValueArray {
  const chunk = columns[0]!;
  if (!("values" in chunk)) throw new Error("expected numbers but the column has texts");
  const found = emptyLike(chunk.values, rows - chunk.nulls);
  // Times are shown to the millisecond, so that their nearest doubles do.
  const isExact = type.kind === "number" || type.kind === "decimal";
  let to = 0;
  for (let row = 0; row < rows; row++) {
    if (!has(chunk, row)) continue;
    const value = chunk.values[row]!;
    if (typeof value === "bigint" && isExact) checkExact(Number(value), value, `row ${row + 1} of a part`);
    found[to++] = value;
  }
  return found;
}

/** Joins arrays of one type. */
function joined(parts: readonly ValueArray[], total: number): ValueArray {
  const all = emptyLike(parts[0] ?? new Float64Array(), total);
  let at = 0;
  for (const part of parts) {
    all.set(part as never, at);
    at += part.length;
  }
  return all;
}

/** An array of the same type. Its elements are numbers or bigints, as those of the other. */
const emptyLike = (like: ValueArray, length: number): ValueArray & Record<number, number | bigint> =>
  new (like.constructor as new (length: number) => ValueArray)(length);

async function counted(wanted: Wanted): Promise<Counts> {
  const start = performance.now();
  const column = await read(wanted.column);
  if (column.values === null) {
    const { column: name, type, nulls, rows, distinct, top } = column;
    return { kind: "values", column: name, type, nulls, rows, distinct, top, ms: performance.now() - start };
  }
  return column.type.kind === "boolean" ? booleans(column) : binned(column, wanted);
}

type Numbers = Extract<Kept, { readonly values: ValueArray }>;

function booleans({ column, type, nulls, values: all }: Numbers): ValueCounts {
  const start = performance.now();
  const counts = [0, 0] as [number, number];
  for (const value of all) counts[value === 0 ? 0 : 1] += 1;
  const top = [["false", counts[0]] as const, ["true", counts[1]] as const];
  const distinct = counts.filter((count) => count > 0).length;
  return {
    kind: "values",
    column,
    type,
    nulls,
    rows: all.length,
    distinct,
    top,
    ms: performance.now() - start,
  };
}

async function binned(
  { column, type, nulls, values: all, isWhole, stats }: Numbers,
  { bins, range }: Wanted,
): Promise<BinCounts> {
  opening ??= openEngine();
  const engine = await opening;
  const [lo, hi] = range ?? [stats?.min ?? 0, stats?.max ?? 0];
  const isEach =
    bins === "auto" &&
    isWhole &&
    stats !== null &&
    Number.isSafeInteger(lo) &&
    Number.isSafeInteger(hi) &&
    hi - lo < MOST_EACH;
  const start = performance.now();
  const found = await engine.histogram(
    all,
    isEach
      ? { axis: integer(lo, hi + 1) }
      : typeof bins === "number" && range !== null
        ? { axis: regular(bins, ...range) }
        : { ...(bins !== "auto" && { bins }), range: range ?? "data" },
  );
  const { counts, underflow, overflow, nan, algorithm } = found;
  return {
    ...{ kind: "bins", column, type, isEach, nulls, counts, underflow, overflow, nan, stats },
    edges: Float64Array.from(found.edges),
    ms: performance.now() - start,
    algorithm: algorithm ?? "",
  };
}

function statsOf(all: ValueArray): Stats | null {
  const finite = Float64Array.from(all as ArrayLike<number | bigint>, Number)
    .filter(Number.isFinite)
    .sort();
  if (finite.length === 0) return null;
  let sum = 0;
  for (const value of finite) sum += value;
  const quantiles = QUANTILES.map(
    (percent) => finite[Math.max(0, Math.ceil((finite.length * percent) / 100) - 1)]!,
  );
  return { min: finite[0]!, max: finite.at(-1)!, mean: sum / finite.length, quantiles };
}

export async function handle(message: ToColumnWorker): Promise<void> {
  postMessage("open" in message ? await opened(message.open, message.name) : await counted(message.count));
}

import {
  type Batch,
  type ColumnInfo,
  openTableInPage,
  type Table,
  type ValueArray,
} from "@polybin/columns/page";
import { type Engine, openEngine, regular } from "@polybin/core";
import { checkExact, numbersIn } from "./numbers.ts";
import { QUANTILES } from "./quantiles.ts";

/** A column of a table, and why it cannot be counted if it cannot. */
export interface Listed {
  readonly name: string;
  readonly type: string;
  readonly problem: string | null;
}

/** How to count a column. */
export interface Wanted {
  readonly column: string;
  /** A number, or the name of a rule. */
  readonly bins: number | "fd" | "scott" | "sturges";
  /** Default: from the lowest to the highest finite value. */
  readonly range: readonly [number, number] | null;
}

export interface ColumnCounts {
  readonly column: string;
  readonly nulls: number;
  readonly counts: Float64Array;
  readonly edges: Float64Array;
  readonly underflow: number;
  readonly overflow: number;
  readonly nan: number;
  /** Of the finite values; null if there are none. */
  readonly stats: {
    readonly min: number;
    readonly max: number;
    readonly mean: number;
    readonly quantiles: readonly number[];
  } | null;
  readonly ms: number;
  readonly algorithm: string;
}

export type ToColumnWorker = { readonly open: Blob; readonly name: string } | { readonly count: Wanted };
export type FromColumnWorker =
  | { readonly format: string; readonly rows: number | null; readonly columns: readonly Listed[] }
  | ColumnCounts
  | { readonly error: string };

/** The most values of a column: 512 MiB of doubles. */
const MOST_VALUES: number = 2 ** 26;

let file: { readonly blob: Blob; readonly name: string; readonly format: string | undefined } | null = null;
let opening: Promise<Engine> | null = null;
let kept: { readonly column: string; readonly values: ValueArray; readonly nulls: number } | null = null;

/** Pasted text and files without an ending have no name of a format. Neither has .txt. */
const isText = (name: string): boolean => !/\.[a-z0-9]+$/i.test(name) || /\.txt$/i.test(name);

/** A list of numbers becomes a column. Other text is CSV. */
async function opened(blob: Blob, name: string): Promise<FromColumnWorker> {
  kept = null;
  if (isText(name)) {
    const numbers = numbersIn(await blob.text());
    if (numbers !== null) {
      kept = { column: "value", values: numbers, nulls: 0 };
      file = null;
      return {
        format: "numbers",
        rows: numbers.length,
        columns: [{ name: "value", type: "f64", problem: null }],
      };
    }
  }
  file = { blob, name, format: isText(name) ? "csv" : undefined };
  await using table = await openedTable(file);
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

function listed({ name, type }: ColumnInfo): Listed {
  const kind = type.kind === "number" ? type.type : type.kind;
  const problem =
    type.kind === "number" || type.kind === "decimal"
      ? null
      : type.kind === "refused"
        ? type.reason
        : `expected numbers but the column has the type ${type.kind}`;
  return { name, type: kind, problem };
}

/** Reads a column with the type that the table gives it. A 64-bit integer past 2^53 is an error. */
async function valuesOf(column: string): Promise<NonNullable<typeof kept>> {
  if (kept?.column === column || file === null) return kept!;
  await using table = await openedTable(file);
  const type = table.columns.find(({ name }) => name === column)?.type;
  const scale = type?.kind === "decimal" ? 10 ** type.scale : 1;
  const parts: ValueArray[] = [];
  let total = 0;
  let nulls = 0;
  for await (const batch of table.read({ columns: [column] })) {
    const part = withoutNulls(batch);
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
  kept = { column, values: joined(parts, total), nulls };
  return kept;
}

/** The values of a batch that are not null. */
function withoutNulls({ columns, rows }: Batch): ValueArray {
  const chunk = columns[0]!;
  if (!("values" in chunk)) throw new Error("expected numbers but the column has texts");
  const { values, validity } = chunk;
  const found = emptyLike(values, rows - chunk.nulls);
  let to = 0;
  for (let row = 0; row < rows; row++) {
    if (validity !== null && ((validity.bits[row >> 3]! >> (row & 7)) & 1) === 0) continue;
    const value = values[row]!;
    if (typeof value === "bigint") checkExact(Number(value), value, `row ${row + 1} of a part`);
    found[to++] = value;
  }
  return found;
}

/** Joins arrays of one type. */
function joined(parts: readonly ValueArray[], total: number): ValueArray {
  const values = emptyLike(parts[0] ?? new Float64Array(), total);
  let at = 0;
  for (const part of parts) {
    values.set(part as never, at);
    at += part.length;
  }
  return values;
}

/** An array of the same type. Its elements are numbers or bigints, as those of the other. */
const emptyLike = (values: ValueArray, length: number): ValueArray & Record<number, number | bigint> =>
  new (values.constructor as new (length: number) => ValueArray)(length);

async function counted({ column, bins, range }: Wanted): Promise<ColumnCounts> {
  const { values, nulls } = await valuesOf(column);
  opening ??= openEngine();
  const engine = await opening;
  const start = performance.now();
  const options =
    typeof bins === "number" && range !== null
      ? { axis: regular(bins, ...range) }
      : { bins, range: range ?? "data" };
  const found = await engine.histogram(values, options as { bins: number; range: "data" });
  const ms = performance.now() - start;
  return {
    column,
    nulls,
    counts: found.counts,
    edges: Float64Array.from(found.edges),
    underflow: found.underflow,
    overflow: found.overflow,
    nan: found.nan,
    stats: statsOf(values),
    ms,
    algorithm: found.algorithm ?? "",
  };
}

function statsOf(values: ValueArray): ColumnCounts["stats"] {
  const finite = Float64Array.from(values as ArrayLike<number | bigint>, Number)
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

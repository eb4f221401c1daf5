import type {
  Batch,
  Chunk,
  ColumnStatistics,
  LogicalType,
  Part,
  Table,
  ValueArray,
} from "../../src/table/index.ts";

/** A column in memory. Null is a null. */
export interface Given {
  readonly name: string;
  readonly type: LogicalType;
  readonly values: readonly (number | bigint | string | null)[];
  /** What each part states. Default: nothing. */
  readonly statistics?: (part: number) => ColumnStatistics | null;
  /** Whether strings come as codes of a dictionary. */
  readonly coded?: boolean;
}

type Typed = new (length: number) => ValueArray;
const ARRAYS: Readonly<Record<string, Typed>> = {
  u8: Uint8Array,
  i8: Int8Array,
  u16: Uint16Array,
  i16: Int16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
};

function arrayFor(type: LogicalType): Typed {
  if (type.kind === "number") return ARRAYS[type.type]!;
  if (type.kind === "boolean") return Uint8Array;
  return type.kind === "date" ? Int32Array : BigInt64Array;
}

function validityOf(part: readonly unknown[]): { bits: Uint8Array } | null {
  if (!part.includes(null)) return null;
  const bits = new Uint8Array(Math.ceil(part.length / 8));
  for (const [row, value] of part.entries()) if (value !== null) bits[row >> 3]! |= 1 << (row & 7);
  return { bits };
}

function chunkOf({ name, type, coded = false }: Given, part: Given["values"]): Chunk {
  const nulls = part.filter((value) => value === null).length;
  const base = { name, rows: part.length, nulls, validity: validityOf(part) };
  if (type.kind !== "string") {
    const values = new (arrayFor(type))(part.length);
    // A null row's value is arbitrary.
    const arbitrary = values instanceof BigInt64Array || values instanceof BigUint64Array ? 77n : 77;
    for (const [row, value] of part.entries()) values[row] = (value ?? arbitrary) as never;
    return { ...base, values };
  }
  if (!coded) return { ...base, strings: part as (string | null)[] };
  const dictionary = ["unused", ...new Set(part.filter((value) => value !== null))] as string[];
  const codes = Uint32Array.from(part, (value) => (value === null ? 0 : dictionary.indexOf(value as string)));
  return { ...base, codes, dictionary };
}

/** A table in memory, whose parts have this number of rows. `parts: null` is a stream. */
export function tableOf(
  columns: readonly Given[],
  each = 7,
  { name = "memory", stream = false }: { readonly name?: string; readonly stream?: boolean } = {},
): Table & { reads: number } {
  const rows = columns[0]?.values.length ?? 0;
  const count = Math.ceil(rows / each);
  const parts = Array.from(
    { length: count },
    (_, index): Part => ({
      index,
      rows: Math.min(each, rows - index * each),
      bytes: 100,
      statistics: (column) => columns.find((one) => one.name === column)?.statistics?.(index) ?? null,
    }),
  );
  const table = {
    reads: 0,
    format: "memory",
    name,
    rows,
    columns: columns.map(({ name, type }) => ({ name, type, nullable: true })),
    parts: stream ? null : parts,
    async *read(options: Parameters<Table["read"]>[0] = {}): AsyncGenerator<Batch> {
      table.reads++;
      const wanted = options.columns ?? columns.map((column) => column.name);
      for (const index of options.parts ?? parts.keys()) {
        options.signal?.throwIfAborted();
        const part = columns.map(({ values }) => values.slice(index * each, (index + 1) * each));
        const chunks = wanted.map((one) => {
          const at = columns.findIndex((column) => column.name === one);
          return chunkOf(columns[at]!, part[at]!);
        });
        yield { rows: parts[index]!.rows!, part: index, columns: chunks };
        options.onProgress?.({
          rows: (index + 1) * each,
          totalRows: rows,
          bytes: 100,
          totalBytes: 100 * count,
        });
      }
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  return table;
}

/** Statistics that are right. */
export function stated(values: Given["values"], each = 7): (part: number) => ColumnStatistics {
  return (part) => {
    const slice = values.slice(part * each, (part + 1) * each);
    const all = slice.filter((value) => value !== null && !Number.isNaN(value)) as (
      | number
      | bigint
      | string
    )[];
    const sorted = all.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return {
      min: sorted[0] ?? null,
      max: sorted.at(-1) ?? null,
      nulls: slice.length - all.length,
      distinct: null,
    };
  };
}

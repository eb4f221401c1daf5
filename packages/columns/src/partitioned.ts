import { expected } from "@polybin/core/backend";
import {
  PARTITION_TYPES,
  type Partition,
  type PartitionType,
  type PartitionTypes,
  partitionColumn,
  partitionsOf,
  partitionTypes,
  partitionValue,
} from "./partitions.ts";
import type {
  Batch,
  Chunk,
  ColumnInfo,
  CountsBatch,
  Part,
  ReadCountsOptions,
  ReadOptions,
  Table,
} from "./table/index.ts";
import { damaged, lendAs, pickColumns, WrappedTable } from "./table/index.ts";

/** A column with one value, null for a null. */
interface Constant {
  readonly column: ColumnInfo;
  readonly value: number | bigint | string | null;
}

/** @throws ERR_INPUT unless the value maps names to types of partitions, or is false */
export function checkPartitions(types: unknown): void {
  if (types === undefined || types === false) return;
  const isTypes =
    typeof types === "object" &&
    types !== null &&
    Object.values(types).every((type) => (PARTITION_TYPES as readonly unknown[]).includes(type));
  if (!isTypes)
    throw expected(
      "ERR_INPUT",
      "partitions",
      `false, or a type of ${PARTITION_TYPES.join(", ")} for each name`,
      types,
    );
}

/**
 * Adds the columns that the folders of a path state. Columns of the file itself come first.
 * @param types their types, which several files share. Default: those of this path
 */
export function withPartitions(table: Table, location: string, types: PartitionTypes | undefined): Table {
  const own = new Set(table.columns.map(({ name }) => name));
  const found = partitionsOf(location).filter(({ name }) => !own.has(name));
  const wanted = types ?? partitionTypes([location]);
  const constants = found
    .filter(({ name }) => Object.hasOwn(wanted, name))
    .map((each) => constantOf(table.name, each, wanted[each.name]!));
  return constants.length === 0 ? table : new PartitionedTable(table, constants);
}

function constantOf(table: string, { name, text }: Partition, type: PartitionType): Constant {
  const value = partitionValue(text, type);
  if (value === null && text !== null)
    throw damaged(
      table,
      `expected ${type} in folder ${name}=${text}; pass partitions: { ${JSON.stringify(name)}: "string" }`,
    );
  return { column: partitionColumn(name, type, value === null), value };
}

/** A table with columns of one value each behind its own. */
class PartitionedTable extends WrappedTable {
  readonly readCounts?: NonNullable<Table["readCounts"]>;
  readonly #columns: readonly ColumnInfo[];
  readonly #parts: readonly Part[] | null;
  readonly #constants: ReadonlyMap<string, Constant>;

  constructor(table: Table, constants: readonly Constant[]) {
    super(table);
    this.#constants = new Map(constants.map((constant) => [constant.column.name, constant]));
    this.#columns = [...table.columns, ...constants.map(({ column }) => column)];
    this.#parts = table.parts?.map((part) => this.#withStatistics(part)) ?? null;
    lendAs(this, table);
    if (table.readCounts !== undefined) this.readCounts = (options) => this.#counts(options);
  }

  override get columns(): readonly ColumnInfo[] {
    return this.#columns;
  }

  override get parts(): readonly Part[] | null {
    return this.#parts;
  }

  #withStatistics(part: Part): Part {
    return {
      ...part,
      statistics: (name) => {
        const constant = this.#constants.get(name);
        if (constant === undefined) return part.statistics(name);
        const { value } = constant;
        return {
          min: value,
          max: value,
          nulls: value === null ? part.rows : 0,
          distinct: value === null ? 0 : 1,
        };
      },
    };
  }

  async *read(options: ReadOptions = {}): AsyncGenerator<Batch> {
    const picked = pickColumns(this, options.columns);
    const own = picked.filter(({ name }) => !this.#constants.has(name)).map(({ name }) => name);
    // Without a column of the file, its rows must still be counted.
    const first = this.table.columns.find(({ type }) => type.kind !== "refused");
    const columns = own.length > 0 || first === undefined ? own : [first.name];
    for await (const { rows, part, columns: chunks } of this.table.read({ ...options, columns })) {
      const all = picked.map(({ name }) => {
        const constant = this.#constants.get(name);
        return constant === undefined ? chunks[own.indexOf(name)]! : chunkOf(constant, rows);
      });
      yield { rows, part, columns: all };
    }
  }

  /** Columns of one value have no counts, so they come with their rows. */
  #counts(options: ReadCountsOptions = {}): AsyncIterable<CountsBatch> {
    const names = pickColumns(this, options.columns).map(({ name }) => name);
    if (!names.some((name) => this.#constants.has(name)))
      return this.table.readCounts!({ ...options, columns: names });
    const { rows: _, ...others } = options;
    return this.read({ ...others, columns: names });
  }
}

function chunkOf({ column: { name, type }, value }: Constant, rows: number): Chunk {
  const isNull = value === null;
  const base = {
    ...{ name, rows, nulls: isNull ? rows : 0 },
    validity: isNull ? { bits: new Uint8Array((rows + 7) >> 3) } : null,
  };
  if (type.kind === "string")
    return { ...base, codes: new Uint32Array(rows), dictionary: [typeof value === "string" ? value : ""] };
  if (type.kind === "number" && type.type === "i64")
    return { ...base, values: new BigInt64Array(rows).fill(typeof value === "bigint" ? value : 0n) };
  return { ...base, values: new Int32Array(rows).fill(typeof value === "number" ? value : 0) };
}

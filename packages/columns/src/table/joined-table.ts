import { adviceFor } from "./advice.ts";
import { checkReadOptions, pickColumns, pickParts } from "./columns.ts";
import { lendOnce } from "./memory.ts";
import type { ReopenedTable } from "./reopened-table.ts";
import { canReread } from "./rereadable.ts";
import { sampleTypeOf } from "./sample-type.ts";
import type {
  BadRows,
  Batch,
  Chunk,
  ColumnInfo,
  CountsBatch,
  CountsChunk,
  LogicalType,
  Part,
  ReadCountsOptions,
  ReadOptions,
  ReadProgress,
  Table,
} from "./types.ts";

/** Tables that are opened while the one before them is read. */
const AHEAD = 3;

/** Some of the tables may be closed until they are read. */
type Joined = Table & Partial<Pick<ReopenedTable, "openAhead">>;

/** The parts of one of the tables that a read asks for. Undefined: the table has none. */
interface Share {
  readonly table: Joined;
  /** The index of its first part in all parts. */
  readonly before: number;
  readonly parts: readonly number[] | undefined;
}

/**
 * The rows of several tables, one table after the other. A column that one of them lacks, or has with another type, is
 * refused.
 */
export class JoinedTable implements Table {
  readonly name: string;
  readonly format: string;
  readonly rows: number | null;
  readonly columns: readonly ColumnInfo[];
  readonly parts: readonly Part[] | null;
  readonly rereadable: boolean;
  readonly guessed: Readonly<Record<string, unknown>>;
  readonly readCounts?: NonNullable<Table["readCounts"]>;
  readonly #tables: readonly Joined[];

  /** @param name what messages call them */
  constructor(name: string, tables: readonly Table[]) {
    this.name = name;
    this.#tables = tables;
    this.format = [...new Set(tables.map(({ format }) => format))].join(", ");
    this.rows = sum(tables.map(({ rows }) => rows));
    this.columns = joinedColumns(tables);
    this.parts = joinedParts(tables);
    this.rereadable = tables.every(canReread);
    this.guessed = joinedGuesses(tables);
    lendOnce(this, tables);
    if (tables.some(({ readCounts }) => readCounts !== undefined))
      this.readCounts = (options) => this.#counts(options);
  }

  get badRows(): BadRows | null {
    const all = this.#tables.flatMap(({ badRows }) => badRows ?? []);
    return all.length === 0 ? null : { rows: sum(all.map(({ rows }) => rows))!, first: all[0]!.first };
  }

  async *read(options: ReadOptions = {}): AsyncGenerator<Batch> {
    checkReadOptions(options);
    const batches = this.#batches(options, (table, own) => table.read(own));
    // `read` gives no counts.
    yield* batches as AsyncGenerator<Batch>;
  }

  async *#counts({ rows, ...options }: ReadCountsOptions = {}): AsyncGenerator<CountsBatch> {
    checkReadOptions(options);
    yield* this.#batches(options, (table, own) => table.readCounts?.({ ...own, rows }) ?? table.read(own));
  }

  async *#batches(
    options: ReadOptions,
    read: (table: Table, options: ReadOptions) => AsyncIterable<CountsBatch>,
  ): AsyncGenerator<CountsBatch> {
    const columns = pickColumns(this, options.columns);
    const shares = this.#shares(pickParts(this, options.parts));
    const names = columns.map(({ name }) => name);
    const progress = new Progress(shares, options.onProgress);
    for (const [i, { table, before, parts }] of shares.entries()) {
      for (const next of shares.slice(i + 1, i + 1 + AHEAD)) next.table.openAhead?.();
      const own: ReadOptions = {
        columns: names,
        ...(parts === undefined ? {} : { parts }),
        signal: options.signal,
        onProgress: (now) => progress.within(now),
      };
      for await (const { rows, part, columns: chunks } of read(table, own)) {
        yield {
          rows,
          part: this.parts === null || part === null ? null : before + part,
          columns: chunks.map((chunk, at) => widened(chunk, columns[at]!.type)),
        };
      }
      progress.next();
    }
  }

  #shares(wanted: readonly number[] | null): readonly Share[] {
    let before = 0;
    return this.#tables.flatMap((table): Share[] => {
      const first = before;
      const end = first + (table.parts?.length ?? 0);
      before = end;
      if (wanted === null) return [{ table, before: first, parts: undefined }];
      const own = wanted.filter((part) => part >= first && part < end).map((part) => part - first);
      return own.length === 0 ? [] : [{ table, before: first, parts: own }];
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#tables.map((table) => table.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function joinedParts(tables: readonly Table[]): readonly Part[] | null {
  const all: Part[] = [];
  for (const { parts } of tables) {
    if (parts === null) return null;
    const before = all.length;
    all.push(...parts.map((part) => withIndex(part, before + part.index)));
  }
  return all;
}

const withIndex = (part: Part, index: number): Part => ({
  ...{ index, rows: part.rows, bytes: part.bytes },
  statistics: (column) => part.statistics(column),
});

function joinedColumns(tables: readonly Table[]): readonly ColumnInfo[] {
  const all = new Map<string, { readonly of: Table; readonly info: ColumnInfo }[]>();
  for (const table of tables) {
    for (const info of table.columns) {
      const own = all.get(info.name) ?? [];
      all.set(info.name, own);
      own.push({ of: table, info });
    }
  }
  return [...all].map(([name, found]) => {
    const { of, info } = found[0]!;
    const refuse = (reason: string): ColumnInfo => ({ ...info, type: { kind: "refused", reason } });
    const refused = found.find((one) => one.info.type.kind === "refused");
    if (refused !== undefined) return refused.info;
    const lacking = tables.find(({ columns }) => !columns.some((column) => column.name === name));
    if (lacking !== undefined)
      return refuse(`expected it in all files but ${of.name} has it and ${lacking.name} does not`);
    const other = found.find((one) => !isSame(one.info.type, info.type));
    if (other !== undefined)
      return refuse(
        `expected one type in all files but it is ${shown(info.type)} in ${of.name} and ${shown(other.info.type)} in ${other.of.name}${adviceFor(name, [of, other.of])}`,
      );
    return { ...info, nullable: found.some((one) => one.info.nullable) };
  });
}

/** The guesses that all tables share, and the types of some. */
function joinedGuesses(tables: readonly Table[]): Readonly<Record<string, unknown>> {
  const all = tables.map(({ guessed = {} }) => {
    const { types = {}, ...others } = guessed;
    return { types: types as object, others };
  });
  const isAlike = new Set(all.map(({ others }) => JSON.stringify(others))).size === 1;
  const types = Object.assign({}, ...all.map((one) => one.types));
  return { ...(isAlike && all[0]!.others), ...(Object.keys(types).length > 0 && { types }) };
}

const isSame = (a: LogicalType, b: LogicalType): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());

/** A type in few words, with everything that a type of its kind states. */
function shown(type: LogicalType): string {
  const { kind, ...rest } = type;
  const words = Object.values(rest).filter((value) => value !== null);
  return kind === "number" ? String(words[0]) : [kind, ...words].join(" ");
}

/** Files may store dates in 32 bits or in 64, and a column has one type. */
function widened(chunk: Chunk | CountsChunk, type: LogicalType): Chunk | CountsChunk {
  if (!("values" in chunk) || !(chunk.values instanceof Int32Array) || sampleTypeOf(type) !== "i64")
    return chunk;
  return { ...chunk, values: BigInt64Array.from(chunk.values, BigInt) } as Chunk | CountsChunk;
}

function sum(numbers: readonly (number | null)[]): number | null {
  return numbers.includes(null) ? null : numbers.reduce<number>((all, number) => all + number!, 0);
}

/** Adds up the progress of the tables. */
class Progress {
  readonly #tell: ReadOptions["onProgress"];
  readonly #totals: Pick<ReadProgress, "totalRows" | "totalBytes">;
  #before = { rows: 0, bytes: 0 };
  #now = { rows: 0, bytes: 0 };

  constructor(shares: readonly Share[], tell: ReadOptions["onProgress"]) {
    this.#tell = tell;
    const parts = shares.map(
      ({ table, parts: own }) => own?.map((part) => table.parts![part]!) ?? table.parts,
    );
    const total = (of: (part: Part) => number | null): number | null =>
      sum(parts.map((own) => own && sum(own.map(of))));
    this.#totals = { totalRows: total(({ rows }) => rows), totalBytes: total(({ bytes }) => bytes) };
  }

  within({ rows, bytes }: ReadProgress): void {
    this.#now = { rows, bytes };
    const all = { rows: this.#before.rows + rows, bytes: this.#before.bytes + bytes };
    this.#tell?.({ ...all, ...this.#totals });
  }

  next(): void {
    this.#before = {
      rows: this.#before.rows + this.#now.rows,
      bytes: this.#before.bytes + this.#now.bytes,
    };
    this.#now = { rows: 0, bytes: 0 };
  }
}

import type { BadRows, Batch, Chunk, ColumnInfo, Part, ReadOptions, Table } from "@polybin/columns";

/** Bytes of values that are kept by default. */
const KEPT_BYTES = 50_331_648;

/**
 * Returns tables whose first read is kept in memory, up to a number of bytes in all. Another read of these columns decodes
 * only the parts that did not fit. The files must not change meanwhile.
 */
export function keptTables(tables: readonly Table[], bytes: number = KEPT_BYTES): readonly Table[] {
  const room = { bytes };
  return tables.map((table) => new KeptTable(table, room));
}

/** The first parts of a read. */
interface Kept {
  readonly columns: readonly string[];
  readonly batches: readonly Batch[];
  /** The parts that are kept: those below it. */
  readonly end: number;
}

class KeptTable implements Table {
  readonly #table: Table;
  /** The memory that all tables share. */
  readonly #room: { bytes: number };
  #kept: Kept | null = null;

  constructor(table: Table, room: { bytes: number }) {
    this.#table = table;
    this.#room = room;
  }

  get format(): string {
    return this.#table.format;
  }

  get name(): string {
    return this.#table.name;
  }

  get rows(): number | null {
    return this.#table.rows;
  }

  get columns(): readonly ColumnInfo[] {
    return this.#table.columns;
  }

  get parts(): readonly Part[] | null {
    return this.#table.parts;
  }

  get badRows(): BadRows | null {
    return this.#table.badRows ?? null;
  }

  async *read(options: ReadOptions = {}): AsyncGenerator<Batch> {
    const { columns } = options;
    const wanted = options.parts ?? this.parts?.map(({ index }) => index);
    if (columns === undefined || wanted === undefined) yield* this.#table.read(options);
    else if (this.#kept === null) yield* this.#first(columns, wanted, options);
    else yield* this.#again(this.#kept, columns, wanted, options);
  }

  async *#first(
    columns: readonly string[],
    wanted: readonly number[],
    options: ReadOptions,
  ): AsyncGenerator<Batch> {
    // A part in the middle of a file is never the first that is kept.
    let end = wanted[0] === 0 ? Number.POSITIVE_INFINITY : 0;
    const batches: Batch[] = [];
    try {
      for await (const batch of this.#table.read(options)) {
        const part = batch.part ?? 0;
        if (part < end && !this.#keep(batch, batches)) {
          // The part is read again, with what was kept of it.
          end = part;
          while (batches.at(-1)?.part === part) this.#room.bytes += bytesOf(batches.pop()!);
        }
        yield batch;
      }
      const gap = wanted.findIndex((part, i) => part !== i);
      this.#kept = { columns: [...columns], batches, end: Math.min(end, gap < 0 ? wanted.length : gap) };
    } finally {
      if (this.#kept === null) for (const batch of batches) this.#room.bytes += bytesOf(batch);
    }
  }

  /** Keeps a batch if there is room. */
  #keep(batch: Batch, batches: Batch[]): boolean {
    const bytes = bytesOf(batch);
    if (bytes > this.#room.bytes) return false;
    this.#room.bytes -= bytes;
    batches.push(batch);
    return true;
  }

  async *#again(
    kept: Kept,
    columns: readonly string[],
    wanted: readonly number[],
    options: ReadOptions,
  ): AsyncGenerator<Batch> {
    const places = columns.map((name) => kept.columns.indexOf(name));
    const own = places.includes(-1) ? [] : wanted.filter((part) => part < kept.end);
    const before = { rows: 0, bytes: 0 };
    const size = (parts: readonly number[]): number =>
      parts.reduce((sum, part) => sum + this.parts![part]!.bytes, 0);
    const totalBytes = size(wanted);
    const isOwn = new Set(own);
    let at = 0;
    for (const batch of kept.batches) {
      if (!isOwn.has(batch.part!)) continue;
      options.signal?.throwIfAborted();
      for (; own[at]! <= batch.part!; at++) before.bytes += this.parts![own[at]!]!.bytes;
      before.rows += batch.rows;
      options.onProgress?.({ ...before, totalRows: null, totalBytes });
      yield { ...batch, columns: places.map((place) => batch.columns[place]!) };
    }
    before.bytes = size(own);
    const rest = wanted.filter((part) => !isOwn.has(part));
    if (rest.length === 0) return;
    yield* this.#table.read({
      ...options,
      parts: rest,
      onProgress: ({ rows, bytes, totalRows }) =>
        options.onProgress?.({
          ...{ rows: before.rows + rows, bytes: before.bytes + bytes },
          ...{ totalRows, totalBytes },
        }),
    });
  }

  close(): Promise<void> {
    return this.#table.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Bytes of a batch's values. Strings are not kept, since nobody knows theirs. */
function bytesOf({ columns }: Batch): number {
  const own = (chunk: Chunk): number =>
    "values" in chunk ? chunk.values.byteLength + (chunk.validity?.bits.byteLength ?? 0) : Infinity;
  return columns.reduce((sum, chunk) => sum + own(chunk), 0);
}

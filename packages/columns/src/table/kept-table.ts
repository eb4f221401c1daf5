import { hold, lendAs } from "./memory.ts";
import type { Batch, Chunk, CountsBatch, ReadOptions, Table } from "./types.ts";
import { WrappedTable } from "./wrapped-table.ts";

/**
 * Returns tables whose first read is kept in memory, up to a number of bytes in all. Another read of these columns decodes
 * only the parts that did not fit. The files must not change meanwhile.
 */
export function keptTables(tables: readonly Table[], bytes: number): readonly KeptTable[] {
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

/** A table without parts is one part. */
const WHOLE: readonly number[] = [0];
const partOf = ({ part }: CountsBatch): number => part ?? 0;

export class KeptTable extends WrappedTable {
  /** The memory that all tables share. */
  readonly #room: { bytes: number };
  #kept: Kept | null = null;
  #fits = true;

  constructor(table: Table, room: { bytes: number }) {
    super(table);
    this.#room = room;
    lendAs(this, table);
  }

  /** Whether everything that was read so far is kept. */
  get fits(): boolean {
    return this.#fits;
  }

  async *read(options: ReadOptions = {}): AsyncGenerator<Batch> {
    const { columns } = options;
    const wanted = options.parts ?? this.parts?.map(({ index }) => index) ?? WHOLE;
    if (columns === undefined) yield* this.table.read(options);
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
      for await (const batch of this.table.read(options)) {
        const part = partOf(batch);
        if (part < end && !this.#keep(batch, batches)) {
          // The part is read again, with what was kept of it.
          end = part;
          this.#fits = false;
          while (batches.length > 0 && partOf(batches.at(-1)!) === part)
            this.#room.bytes += bytesOf(batches.pop()!);
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
    hold(batch);
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
      parts.reduce((sum, part) => sum + (this.parts?.[part]?.bytes ?? 0), 0);
    const totalBytes = this.parts === null ? null : size(wanted);
    const isOwn = new Set(own);
    let at = 0;
    for (const batch of kept.batches) {
      if (!isOwn.has(partOf(batch))) continue;
      options.signal?.throwIfAborted();
      const first = at;
      while (at < own.length && own[at]! <= partOf(batch)) at++;
      before.bytes += size(own.slice(first, at));
      before.rows += batch.rows;
      options.onProgress?.({ ...before, totalRows: null, totalBytes });
      yield { ...batch, columns: places.map((place) => batch.columns[place]!) };
    }
    before.bytes = size(own);
    const rest = wanted.filter((part) => !isOwn.has(part));
    if (rest.length === 0) return;
    yield* this.table.read({
      ...options,
      ...(this.parts !== null && { parts: rest }),
      onProgress: ({ rows, bytes, totalRows }) =>
        options.onProgress?.({
          ...{ rows: before.rows + rows, bytes: before.bytes + bytes },
          ...{ totalRows, totalBytes },
        }),
    });
  }
}

/** Bytes of an object in a list. */
const OBJECT_BYTES = 16;

/** Bytes of a batch's values, about. */
function bytesOf({ columns }: Batch): number {
  return columns.reduce((sum, chunk) => sum + bytesOfChunk(chunk), 0);
}

function bytesOfChunk(chunk: Chunk): number {
  const validity = chunk.validity?.bits.byteLength ?? 0;
  if ("values" in chunk) return chunk.values.byteLength + validity;
  const texts = "codes" in chunk ? chunk.dictionary : chunk.strings;
  const codes = "codes" in chunk ? chunk.codes.byteLength : 0;
  return texts.reduce((sum, text) => sum + OBJECT_BYTES + (text?.length ?? 0), codes + validity);
}

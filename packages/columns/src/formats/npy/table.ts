import { type DecodePool, inOrder } from "../../pool/index.ts";
import type { ByteSource } from "../../source/index.ts";
import {
  type Batch,
  type Chunk,
  type ColumnInfo,
  checkColumns,
  checkReadOptions,
  type Part,
  pickColumns,
  pickParts,
  type ReadOptions,
  type Table,
} from "../../table/index.ts";
import type { ArrayReader, NpyArray } from "./array.ts";
import type { NpyTask } from "./decode.ts";

/** An array of a table, and how its bytes are reached. */
export interface Member {
  readonly array: NpyArray;
  /** Whether any range of its bytes can be read. If not, each read of the table starts at its first byte. */
  readonly seekable: boolean;
  open(signal: AbortSignal | undefined): ArrayReader;
}

/** Rows of a part that decode in the calling thread: fewer bytes than a message to a thread costs. */
const INLINE_BYTES = 65_536;

/** A table of arrays that have the same number of rows. */
export class ArraysTable implements Table {
  readonly format: string;
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly ColumnInfo[];
  readonly parts: readonly Part[] | null;
  readonly rereadable: boolean;
  readonly #members: readonly Member[];
  readonly #pool: DecodePool;
  readonly #partRows: number;
  readonly #rowBytes: number;
  readonly #close: () => Promise<void>;

  constructor(
    {
      format,
      name,
      partBytes,
      pool,
      source,
    }: { format: string; name: string; partBytes: number; pool: DecodePool; source: ByteSource },
    members: readonly Member[],
  ) {
    this.format = format;
    this.name = name;
    this.rows = members[0]?.array.rows ?? 0;
    this.columns = members.flatMap(({ array }) => array.columns);
    checkColumns(name, this.columns);
    this.#members = members;
    this.#pool = pool;
    this.#close = () => source.close();
    this.rereadable = source.rereadable;
    this.#rowBytes = members.reduce((sum, { array }) => sum + array.rowBytes, 0);
    this.#partRows = Math.max(1, Math.floor(partBytes / Math.max(1, this.#rowBytes)));
    this.parts = members.every(({ seekable }) => seekable) ? this.#parts() : null;
  }

  #parts(): Part[] {
    // Rows without columns hold nothing, however many there are.
    const count = this.#rowBytes === 0 ? 0 : Math.ceil(this.rows / this.#partRows);
    return Array.from({ length: count }, (_, index) => {
      const rows = this.#rowsOf(index);
      return { index, rows, bytes: rows * this.#rowBytes, statistics: () => null };
    });
  }

  #rowsOf(part: number): number {
    return Math.min(this.#partRows, this.rows - part * this.#partRows);
  }

  async *read(options: ReadOptions = {}): AsyncGenerator<Batch> {
    checkReadOptions(options);
    const picked = pickColumns(this, options.columns);
    const all = this.#rowBytes === 0 ? 0 : Math.ceil(this.rows / this.#partRows);
    const parts = pickParts(this, options.parts) ?? Array.from({ length: all }, (_, i) => i);
    const { signal, onProgress } = options;
    const totalRows = parts.reduce((sum, part) => sum + this.#rowsOf(part), 0);
    const readers = this.#members.map((member) => member.open(signal));
    let rows = 0;
    try {
      const columns = picked.map(({ index }) => index);
      for await (const batch of inOrder(
        this.#tasks(readers, parts, columns),
        (task) => this.#decode(task, columns),
        this.#pool.ahead,
        signal,
      )) {
        signal?.throwIfAborted();
        rows += batch.rows;
        onProgress?.({
          rows,
          totalRows,
          bytes: rows * this.#rowBytes,
          totalBytes: totalRows * this.#rowBytes,
        });
        yield batch;
      }
    } finally {
      await Promise.all(readers.map((reader) => reader.close()));
    }
  }

  async *#tasks(readers: readonly ArrayReader[], parts: readonly number[], columns: readonly number[]) {
    for (const part of parts) {
      const rows = this.#rowsOf(part);
      const task: NpyTask & { part: number; order: number[] } = {
        file: this.name,
        rows,
        blocks: [],
        columns: [],
        part,
        order: [],
      };
      let before = 0;
      for (const [i, { array }] of this.#members.entries()) {
        const own = columns.filter((column) => column >= before && column < before + array.columns.length);
        const read = await array.read(
          readers[i]!,
          part * this.#partRows,
          rows,
          own.map((column) => column - before),
        );
        const block = task.blocks.length;
        (task.blocks as Uint8Array[]).push(...read.blocks);
        (task.columns as object[]).push(
          ...read.columns.map((column) => ({ ...column, block: column.block + block })),
        );
        task.order.push(...own);
        before += array.columns.length;
      }
      yield task;
    }
  }

  async #decode(
    { part, order, ...task }: NpyTask & { part: number; order: readonly number[] },
    columns: readonly number[],
  ): Promise<Batch> {
    const decoder = { format: "npy", load: () => import("./decode.ts") };
    const bytes = task.blocks.reduce((sum, block) => sum + block.length, 0);
    const chunks: readonly Chunk[] =
      bytes <= INLINE_BYTES
        ? (await decoder.load()).decode(task).value
        : await this.#pool.run(
            decoder,
            task,
            task.blocks.map(({ buffer }) => buffer),
          );
    // Arrays are read in the order of the file, columns are returned in the order in which they were asked for.
    const byColumn = new Map(order.map((column, i) => [column, chunks[i]!]));
    return {
      rows: task.rows,
      part: this.parts === null ? null : part,
      columns: columns.map((column) => byColumn.get(column)!),
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#close(), this.#pool.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

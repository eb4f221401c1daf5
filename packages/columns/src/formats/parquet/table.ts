import { loadedOnce } from "@polybin/core/backend";
import { type DecodePool, inOrder } from "../../pool/index.ts";
import type { ByteSource } from "../../source/index.ts";
import {
  asDamage,
  type Batch,
  becauseOf,
  type Chunk,
  type ColumnInfo,
  type CountsBatch,
  type CountsChunk,
  checkReadOptions,
  damaged,
  lend,
  type Part,
  pickColumns,
  pickParts,
  quoted,
  type ReadCountsOptions,
  type ReadOptions,
  readAhead,
  type Table,
} from "../../table/index.ts";
import type { Counted, Values } from "../lib/bytes/index.ts";
import { Budget } from "./budget.ts";
import { ChunkReader, type ChunkReads } from "./chunk.ts";
import type { Footer } from "./footer.ts";
import type { StatedGroup } from "./groups.ts";
import { assembled, HeldPages, type Piece } from "./held.ts";
import {
  AHEAD_BYTES,
  BATCH_BYTES,
  MIN_BATCH_ROWS,
  MIN_WINDOW_BYTES,
  READ_BYTES,
  TASK_BYTES,
  WINDOW_BYTES,
} from "./limits.ts";
import { Memory } from "./memory.ts";
import { type Leaf, leavesOf } from "./schema.ts";
import { statisticsOf } from "./statistics.ts";
import type { BatchTask, ColumnTask } from "./task.ts";

const compiled = loadedOnce(() => import("./compiled.ts"));

/** Bytes of a string's code, and of the string itself next to its text. */
const STRING_BYTES = 24;

/** A batch to decode, and the share of its part's bytes that it is. */
interface Work {
  readonly part: number;
  readonly bytes: number;
  /** The pages to decode, of all columns. */
  readonly task: BatchTask;
  readonly pieces: readonly (readonly Piece[])[];
}

/** A table in a Parquet file. Its parts are the row groups. */
export class ParquetTable implements Table {
  readonly format = "parquet";
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly ColumnInfo[];
  readonly parts: readonly Part[];
  readonly #source: ByteSource;
  readonly #pool: DecodePool;
  readonly #memory = new Memory();
  readonly #leaves: readonly Leaf[];
  readonly #footer: Footer;

  constructor(source: ByteSource, pool: DecodePool, footer: Footer) {
    this.name = source.name;
    this.#source = source;
    this.#pool = pool;
    this.#leaves = leavesOf(source.name, footer);
    lend(this, (memory) => this.#memory.give(memory));
    this.columns = this.#leaves.map(({ name, type, nullable }) => ({ name, type, nullable }));
    this.#footer = footer;
    this.parts = footer.groups.map((group, index) => this.#part(group, index));
    this.rows = this.parts.reduce((sum, { rows }) => sum + rows!, 0);
    if (BigInt(this.rows) !== BigInt(footer.rows)) {
      throw damaged(this.name, `its metadata state ${footer.rows} rows but its row groups ${this.rows}`);
    }
  }

  #part(group: StatedGroup, index: number): Part {
    const rows = counted(group.rows);
    const bytes = group.chunks.reduce((sum, { compressed }) => sum + compressed, 0);
    if (rows === null || !Number.isSafeInteger(bytes)) {
      const size = Number.isNaN(bytes) ? "no size" : `${bytes} bytes`;
      throw damaged(
        this.name,
        `row group ${index} states ${Number.isNaN(group.rows) ? "no" : group.rows} rows and ${size}`,
      );
    }
    return {
      index,
      rows,
      bytes,
      statistics: (name) => {
        const leaf = this.#leaves.find((one) => one.name === name);
        return leaf === undefined || leaf.hasManyValues
          ? null
          : statisticsOf(leaf, this.#chunk(index, leaf)?.meta_data?.statistics);
      },
    };
  }

  async *read(options: ReadOptions = {}): AsyncGenerator<Batch> {
    checkReadOptions(options);
    yield* this.#batches(options, () => false) as AsyncGenerator<Batch>;
  }

  async *readCounts({ rows, ...options }: ReadCountsOptions = {}): AsyncGenerator<CountsBatch> {
    checkReadOptions(options);
    const kept = new Set(pickColumns(this, rows ?? []).map(({ name }) => name));
    yield* this.#batches(options, ({ name }) => !kept.has(name));
  }

  async *#batches(options: ReadOptions, isCounted: (leaf: Leaf) => boolean): AsyncGenerator<CountsBatch> {
    const leaves = pickColumns(this, options.columns).map(({ index }) => this.#leaves[index]!);
    const parts = pickParts(this, options.parts)!;
    const { signal, onProgress } = options;
    const budget = new Budget(TASK_BYTES);
    const total = { rows: 0, bytes: 0 };
    let batchBytes = 1;
    for (const part of parts) {
      total.rows += this.parts[part]!.rows!;
      total.bytes += this.parts[part]!.bytes;
      const decoded = this.#rowBytes(part, leaves) * this.parts[part]!.rows!;
      batchBytes = Math.max(batchBytes, Math.min(BATCH_BYTES, decoded));
    }
    const ahead = Math.max(1, Math.min(this.#pool.ahead, Math.floor(AHEAD_BYTES / batchBytes)));
    let rows = 0;
    let bytes = 0;
    for await (const { work, values } of inOrder(
      readAhead(this.#work(parts, leaves, leaves.map(isCounted), budget, signal)),
      (work) => this.#decode(work, budget),
      ahead,
      signal,
    )) {
      signal?.throwIfAborted();
      rows += work.task.rows;
      bytes += work.bytes;
      onProgress?.({ rows, totalRows: total.rows, bytes, totalBytes: total.bytes });
      yield {
        rows: work.task.rows,
        part: work.part,
        columns: values.map((value, i) => chunkOf(leaves[i]!, work.task.rows, value)),
      };
    }
  }

  async #decode(work: Work, budget: Budget) {
    const { part, bytes, task, pieces } = work;
    const { rows } = task;
    const taken = sizeOf(task);
    const decoded = await this.#run(task).finally(() => {
      budget.change(-taken);
      for (const { bytes, isAlone } of task.columns) if (isAlone) bytes.buffer.transfer(0);
    });
    const values: (Values | Counted)[] = [];
    let next = 0;
    for (const own of pieces) {
      const pages = own.filter(({ kind }) => kind === "pages").length;
      const parts = decoded.slice(next, next + pages);
      next += pages;
      const isWhole = own.length === 1 && pages === 1;
      values.push(isWhole ? parts[0]! : await assembled(own, parts as Values[]));
    }
    return { work: { part, bytes, task: { rows } }, values };
  }

  async #run(task: BatchTask): Promise<readonly (Values | Counted)[]> {
    if (task.columns.length === 0) return [];
    const { decodeCompiled } = await compiled();
    const values = await decodeCompiled(task, this.#pool.threads, this.#memory);
    const left = values.flatMap((own, i) => (own === null ? [i] : []));
    if (left.length > 0) {
      // Memory moves to another thread as a whole, and the window is still read.
      const columns = left.map((i) => ({ ...task.columns[i]!, bytes: task.columns[i]!.bytes.slice() }));
      const rest = { ...task, columns, counted: left.map((i) => task.counted[i]!) };
      const transfer = columns.map(({ bytes }) => bytes.buffer);
      const decoder = { format: "parquet", load: () => import("./decode.ts") };
      const decoded = await this.#pool.run(decoder, rest, transfer);
      for (const [k, i] of left.entries()) values[i] = decoded[k]!;
    }
    return values as (Values | Counted)[];
  }

  /** Decodes all rows of a page. */
  async #page(column: ColumnTask): Promise<Values> {
    const task = { file: this.name, rows: column.rows, columns: [column], counted: [false] };
    return (await this.#run(task))[0] as Values;
  }

  async *#work(
    parts: readonly number[],
    leaves: readonly Leaf[],
    counted: readonly boolean[],
    budget: Budget,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Work> {
    let expected = 0;
    for (const part of parts) {
      const rows = this.parts[part]!.rows!;
      if (rows === 0) continue;
      // Without columns, nothing shows whether the file has as many rows as it states.
      if (leaves.length === 0) {
        yield { part, bytes: 0, task: { file: this.name, rows, columns: [], counted: [] }, pieces: [] };
        continue;
      }
      const windowBytes = Math.min(
        WINDOW_BYTES,
        Math.max(MIN_WINDOW_BYTES, Math.floor(READ_BYTES / leaves.length)),
      );
      const most = Math.max(MIN_BATCH_ROWS, Math.floor(BATCH_BYTES / this.#rowBytes(part, leaves)));
      // Batches of equal size, so that the last one is not tiny.
      const size = Math.ceil(rows / Math.ceil(rows / most));
      const pages = new HeldPages((task) => this.#page(task));
      const readers = this.#readers(part, leaves, { windowBytes, batchRows: size, pages });
      for (let done = 0; done < rows; done += size) {
        const take = Math.min(size, rows - done);
        // The task before is the best guess at what this one reads.
        await budget.take(expected);
        const pieces = await Promise.all(readers.map((reader) => reader.take(take, signal)));
        const task = { file: this.name, rows: take, ...pagesOf(pieces, counted) };
        budget.change(sizeOf(task) - expected);
        expected = sizeOf(task);
        yield { part, bytes: (this.parts[part]!.bytes * take) / rows, task, pieces };
      }
    }
  }

  #readers(part: number, leaves: readonly Leaf[], reads: ChunkReads): ChunkReader[] {
    try {
      return leaves.map((leaf) => this.#reader(part, leaf, reads));
    } catch (error) {
      // hyparquet leaves out what damaged metadata lack, whatever its types say.
      throw asDamage(this.name, error);
    }
  }

  #chunk(part: number, { chunk, element }: Leaf): ReturnType<Footer["chunk"]> {
    try {
      return this.#footer.chunk(part, chunk, element);
    } catch (error) {
      throw damaged(this.name, `its metadata are damaged${becauseOf(error)}`, error);
    }
  }

  #reader(part: number, leaf: Leaf, reads: ChunkReads): ChunkReader {
    const chunk = this.#chunk(part, leaf);
    const of = `column ${quoted(leaf.name)} of row group ${part}`;
    if (chunk?.meta_data === undefined) throw damaged(this.name, `${of} is missing`);
    const { path_in_schema, type } = chunk.meta_data;
    const isOwn =
      path_in_schema.length === leaf.path.length && leaf.path.every((n, i) => n === path_in_schema[i]);
    if (!isOwn || type !== leaf.physical) {
      throw damaged(this.name, `${of} does not match the schema`);
    }
    return new ChunkReader(this.#source, leaf, chunk.meta_data, this.parts[part]!.rows!, reads);
  }

  /** Decoded bytes per row, about. Files state the size of strings. */
  #rowBytes(part: number, leaves: readonly Leaf[]): number {
    const { rows } = this.parts[part]!;
    return leaves.reduce((sum, { store, chunk }) => {
      if (store !== "string") return sum + 8;
      const size = this.#footer.groups[part]!.chunks[chunk]?.uncompressed || 0;
      return sum + STRING_BYTES + size / Math.max(1, rows!);
    }, 1);
  }

  async close(): Promise<void> {
    await Promise.all([this.#source.close(), this.#pool.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The pages to decode of a batch. Only columns whose rows are all in them may come as values without their rows. */
function pagesOf(
  pieces: readonly (readonly Piece[])[],
  counted: readonly boolean[],
): Pick<BatchTask, "columns" | "counted"> {
  const pages = pieces.flatMap((own, i) =>
    own.flatMap((piece) =>
      piece.kind === "pages" ? [{ task: piece.task, isCounted: own.length === 1 && counted[i]! }] : [],
    ),
  );
  return { columns: pages.map(({ task }) => task), counted: pages.map(({ isCounted }) => isCounted) };
}

/** Bytes of a task's pages. */
const sizeOf = ({ columns }: BatchTask): number => columns.reduce((sum, { bytes }) => sum + bytes.length, 0);

function counted(value: bigint | number): number | null {
  const number = Number(value);
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function chunkOf({ name }: Leaf, rows: number, decoded: Values | Counted): Chunk | CountsChunk {
  if ("counts" in decoded) return { name, rows, ...decoded };
  const { nulls, bits, values, codes, dictionary } = decoded;
  const base = { name, rows, nulls, validity: bits === null ? null : { bits } };
  return values === null ? { ...base, codes: codes!, dictionary: dictionary! } : { ...base, values };
}

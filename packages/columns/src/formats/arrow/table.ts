import { type DecodePool, inOrder } from "../../pool/index.ts";
import type { ByteSource } from "../../source/index.ts";
import {
  type Batch,
  type Chunk,
  type ColumnInfo,
  checkReadOptions,
  damaged,
  type Part,
  pickColumns,
  pickParts,
  type ReadOptions,
  type Table,
} from "../../table/index.ts";
import type { Values } from "../lib/bytes/index.ts";
import { Dictionaries, type Dictionary } from "./dictionaries.ts";
import { AHEAD_BYTES } from "./limits.ts";
import type { OpenBatch, Origin } from "./origin.ts";
import { BatchPieces } from "./pieces.ts";
import { type Leaf, leavesOf } from "./schema.ts";
import type { BatchTask, ColumnTask, Store } from "./task.ts";

/** Rows to decode. */
interface Work {
  readonly part: number | null;
  readonly rows: number;
  readonly bytes: number;
  /** Bytes after decompression. */
  readonly decoded: number;
  readonly task: BatchTask;
  readonly dictionaries: readonly (Dictionary | null)[];
}

/** A table in an Arrow file or stream. Its parts are the record batches. */
export class ArrowTable implements Table {
  readonly format = "arrow";
  readonly name: string;
  readonly rows: number | null;
  readonly columns: readonly ColumnInfo[];
  readonly parts: readonly Part[] | null;
  readonly #source: ByteSource;
  readonly #pool: DecodePool;
  readonly #origin: Origin;
  readonly #leaves: readonly Leaf[];
  readonly #dictionaries: ReadonlyMap<number, Store>;
  #isRead = false;

  constructor(source: ByteSource, pool: DecodePool, origin: Origin) {
    this.name = source.name;
    this.#source = source;
    this.#pool = pool;
    this.#origin = origin;
    this.#leaves = leavesOf(source.name, origin.schema);
    this.columns = this.#leaves.map(({ name, type, nullable }) => ({ name, type, nullable }));
    this.#dictionaries = new Map(
      this.#leaves.flatMap(({ dictionary }) =>
        dictionary === null ? [] : [[dictionary.id, dictionary.store]],
      ),
    );
    this.parts =
      origin.batches?.map(({ rows, bytes }, index) => ({ index, rows, bytes, statistics: () => null })) ??
      null;
    this.rows = this.parts?.every(({ rows }) => rows !== null)
      ? this.parts.reduce((sum, { rows }) => sum + rows!, 0)
      : null;
  }

  async *read(options: ReadOptions = {}): AsyncGenerator<Batch> {
    checkReadOptions(options);
    const leaves = pickColumns(this, options.columns).map(({ index }) => this.#leaves[index]!);
    const parts = pickParts(this, options.parts);
    if (parts === null && this.#isRead)
      throw damaged(this.name, "expected one read of a stream but it was read before; save it to a file");
    this.#isRead = true;
    const { signal, onProgress } = options;
    const wanted = this.parts === null || parts === null ? null : parts.map((part) => this.parts![part]!);
    const totalBytes = wanted?.reduce((sum, part) => sum + part.bytes, 0) ?? null;
    const totalRows = wanted?.every((part) => part.rows !== null)
      ? wanted.reduce((sum, part) => sum + part.rows!, 0)
      : null;
    let rows = 0;
    let bytes = 0;
    for await (const done of inOrder(
      this.#work(parts, leaves, signal),
      (work) => this.#decode(work),
      { tasks: this.#pool.ahead, bytes: AHEAD_BYTES, bytesOf: ({ decoded }) => decoded },
      signal,
    )) {
      signal?.throwIfAborted();
      rows += done.rows;
      bytes += done.bytes;
      onProgress?.({ rows, totalRows, bytes, totalBytes });
      const columns = done.values.map((value, i) =>
        chunkOf(leaves[i]!, done.rows, value, done.dictionaries[i]!),
      );
      yield { rows: done.rows, part: done.part, columns };
    }
  }

  async #decode({ part, rows, bytes, task, dictionaries }: Work) {
    return { part, rows, bytes, dictionaries, values: await this.#run(task) };
  }

  async #run(task: BatchTask): Promise<readonly Values[]> {
    const memory = new Set(task.columns.flatMap(({ buffers }) => buffers.map((buffer) => buffer.buffer)));
    return this.#pool.run({ format: "arrow", load: () => import("./decode.ts") }, task, [...memory]);
  }

  async *#work(
    parts: readonly number[] | null,
    leaves: readonly Leaf[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Work> {
    const decode = async (column: ColumnTask) =>
      (await this.#run({ file: this.name, columns: [column] }))[0]!;
    const known = new Dictionaries(this.name, this.#dictionaries, decode);
    for await (const open of this.#origin.open(parts, known, signal)) {
      // A table with no asked columns still has rows.
      if (open.batch.rows > 0) yield* this.#pieces(open, leaves, known);
    }
  }

  async *#pieces(
    { part, batch, bodyBytes, read }: OpenBatch,
    leaves: readonly Leaf[],
    known: Dictionaries,
  ): AsyncGenerator<Work> {
    const pieces = new BatchPieces(
      this.name,
      batch,
      bodyBytes,
      leaves.map((leaf) => ({ ...leaf, store: leaf.store! })),
    );
    const dictionaries = await Promise.all(
      leaves.map(async ({ dictionary }) => (dictionary === null ? null : await known.get(dictionary.id)())),
    );
    const { rows } = batch;
    const { size } = pieces;
    for (let start = 0; start < rows; start += size) {
      const end = Math.min(rows, start + size);
      const taken = await pieces.read(start, end, read);
      const columns = taken.columns.map((column, i) => {
        const dictionary = dictionaries[i]!;
        return {
          ...column,
          dictionary: dictionary === null ? null : { size: dictionary.size, codes: dictionary.codes },
        };
      });
      yield {
        part,
        rows: end - start,
        bytes: (bodyBytes * (end - start)) / rows,
        decoded: taken.decoded,
        task: { file: this.name, columns },
        dictionaries,
      };
    }
  }

  async close(): Promise<void> {
    this.#origin.close();
    await Promise.all([this.#source.close(), this.#pool.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function chunkOf(
  { name }: Leaf,
  rows: number,
  { nulls, bits, values, codes, dictionary }: Values,
  shared: Dictionary | null,
): Chunk {
  const base = { name, rows, nulls, validity: bits === null ? null : { bits } };
  return values === null
    ? { ...base, codes: codes!, dictionary: shared?.strings ?? dictionary! }
    : { ...base, values };
}

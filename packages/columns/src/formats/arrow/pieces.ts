import { damaged, fault, quoted } from "../../table/index.ts";
import { statedBytes } from "./decode/compression.ts";
import { BATCH_BYTES, MAX_BATCH_BYTES, MAX_BUFFER_BYTES, MAX_EXPANSION, MIN_BATCH_ROWS } from "./limits.ts";
import type { RecordBatch, Region } from "./messages/index.ts";
import { BITS, type ColumnTask, type Store } from "./task.ts";

/** Reads bytes of a message's body. */
export type ReadBody = (at: number, length: number) => Promise<Uint8Array<ArrayBuffer>>;

/** A column's buffers in a record batch. */
interface Column {
  readonly name: string;
  readonly store: Store;
  readonly buffers: readonly Region[];
}

/** Columns of some rows to decode, and their bytes after decompression. */
export interface PieceColumns {
  readonly columns: readonly Omit<ColumnTask, "dictionary">[];
  readonly decoded: number;
}

/** Bytes of a view of a string, of an offset, and of a string's code and object. */
const VIEW_BYTES = 16;
const STRING_BYTES = 24;
const CODE_BYTES = 4;
const OFFSET_BYTES = { utf8: 4, largeUtf8: 8 } as const;

/** The place of a column in a record batch: indices into its lists. */
export interface Layout {
  readonly name: string;
  readonly store: Store;
  readonly node: number;
  readonly buffer: number;
  readonly variadic: number;
}

/** Finds the asked columns in a record batch, and cuts it into pieces of rows. */
export class BatchPieces {
  readonly rows: number;
  readonly #name: string;
  readonly #codec: RecordBatch["codec"];
  readonly #columns: readonly Column[];

  /** @throws ERR_INPUT if buffers are missing, lie outside the body, or are too short for the rows. */
  constructor(name: string, batch: RecordBatch, bodyBytes: number, leaves: readonly Layout[]) {
    this.#name = name;
    this.rows = batch.rows;
    this.#codec = batch.codec;
    this.#columns = leaves.map((leaf) => this.#column(batch, bodyBytes, leaf));
    const buffers = this.#columns.flatMap((column) => column.buffers);
    const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
    if (bytes > bodyBytes) {
      throw damaged(name, `the buffers of a record batch take ${bytes} bytes of a body of ${bodyBytes}`);
    }
  }

  #column({ nodes, regions, variadic, rows }: RecordBatch, bodyBytes: number, leaf: Layout): Column {
    const { name, store } = leaf;
    const broken = (message: string) => damaged(this.#name, `column ${quoted(name)} is damaged: ${message}`);
    if (nodes[leaf.node] !== rows)
      throw broken(`it has ${nodes[leaf.node] ?? "no"} rows in a record batch of ${rows}`);
    const before = variadic.slice(0, leaf.variadic).reduce((sum, count) => sum + count, 0);
    const first = leaf.buffer + before;
    const count = store === "view" ? 2 + (variadic[leaf.variadic] ?? 0) : store in OFFSET_BYTES ? 3 : 2;
    const buffers = regions.slice(first, first + count);
    if (buffers.length < count) throw broken(`it has ${buffers.length} of ${count} buffers`);
    for (const { offset, length } of buffers) {
      if (offset + length > bodyBytes)
        throw broken(`a buffer of ${length} bytes at ${offset} lies outside a body of ${bodyBytes}`);
    }
    if (this.#codec === null) {
      const least = leastBytes(store, rows);
      const validity = buffers[0]!.length;
      if (validity > 0 && validity < Math.ceil(rows / 8))
        throw broken(`its validity takes ${validity} bytes for ${rows} rows`);
      if (buffers[1]!.length < least)
        throw broken(`its values take ${buffers[1]!.length} bytes instead of ${least}`);
    }
    return { name, store, buffers };
  }

  /** Rows per piece. Compressed buffers are decompressed as a whole, and views may point anywhere. */
  get size(): number {
    const whole = this.#codec !== null || this.#columns.some(({ store }) => store === "view");
    if (whole) return Math.max(1, this.rows);
    const rowBytes = this.#columns.reduce((sum, { store, buffers }) => {
      if (store in OFFSET_BYTES) return sum + STRING_BYTES + buffers[2]!.length / Math.max(1, this.rows);
      return sum + Math.max(8, BITS[store]! / 8);
    }, 1);
    const size = Math.max(MIN_BATCH_ROWS, Math.floor(BATCH_BYTES / rowBytes / 64) * 64);
    return Math.min(size, Math.max(1, this.rows));
  }

  /** Reads the buffers of the rows from `start` to `end`. `start` is a multiple of 8. */
  async read(start: number, end: number, read: ReadBody): Promise<PieceColumns> {
    const columns = await Promise.all(this.#columns.map((column) => this.#read(column, start, end, read)));
    return { columns, decoded: this.#decodedBytes(columns) };
  }

  /**
   * Returns the bytes of columns after decompression, before anything is decompressed.
   * @throws ERR_LIMIT if a batch states more than it may, ERR_INPUT if a column states less than its rows need.
   */
  #decodedBytes(columns: PieceColumns["columns"]): number {
    let held = 0;
    let decoded = 0;
    for (const { name, store, codec, buffers, rows } of columns) {
      const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
      held += bytes;
      if (codec === null) {
        decoded += bytes + CODE_BYTES * rows;
        continue;
      }
      try {
        const stated = buffers.map(statedBytes);
        const least = leastBytes(store, rows);
        if (stated[1]! < least) throw new Error(`its values take ${stated[1]} bytes instead of ${least}`);
        decoded += stated.reduce((sum, bytes) => sum + bytes, CODE_BYTES * rows);
      } catch (error) {
        throw damaged(this.#name, `column ${quoted(name)} is damaged: ${(error as Error).message}`, error);
      }
    }
    const most = Math.max(MAX_BATCH_BYTES, MAX_EXPANSION * held);
    if (decoded <= most) return decoded;
    throw fault(
      this.#name,
      "ERR_LIMIT",
      `expected at most ${most} bytes of a record batch after decompression but it states ${decoded}; read fewer columns, or write smaller record batches`,
    );
  }

  async #read(
    { name, store, buffers }: Column,
    start: number,
    end: number,
    read: ReadBody,
  ): Promise<Omit<ColumnTask, "dictionary">> {
    const base = { name, store, rows: end - start, codec: this.#codec, base: 0 };
    if (this.#codec !== null || store === "view") {
      for (const { length } of buffers) this.#checkSize(name, length);
      return {
        ...base,
        buffers: await Promise.all(buffers.map(({ offset, length }) => read(offset, length))),
      };
    }
    const part = ({ offset, length }: Region, from: number, to: number) =>
      length === 0 ? read(0, 0) : read(offset + from, to - from);
    const validity = part(buffers[0]!, start >> 3, (end + 7) >> 3);
    if (store === "utf8" || store === "largeUtf8") {
      const size = OFFSET_BYTES[store];
      const offsets = await part(buffers[1]!, size * start, size * (end + 1));
      const [from, to] = spanOf(offsets, size, end - start);
      if (!(from >= 0 && from <= to && to <= buffers[2]!.length)) {
        throw damaged(this.#name, `column ${quoted(name)} is damaged: its strings lie outside their bytes`);
      }
      this.#checkSize(name, to - from);
      const bytes = to === from ? read(0, 0) : read(buffers[2]!.offset + from, to - from);
      return { ...base, base: from, buffers: [await validity, offsets, await bytes] };
    }
    const bits = BITS[store]!;
    const values = part(buffers[1]!, (bits * start) / 8, Math.ceil((bits * end) / 8));
    return { ...base, buffers: await Promise.all([validity, values]) };
  }

  #checkSize(name: string, length: number): void {
    if (length <= MAX_BUFFER_BYTES) return;
    throw fault(
      this.#name,
      "ERR_LIMIT",
      `column ${quoted(name)} has a buffer of ${length} bytes, and the limit is ${MAX_BUFFER_BYTES}; write smaller record batches`,
    );
  }
}

function leastBytes(store: Store, rows: number): number {
  if (store === "view") return VIEW_BYTES * rows;
  if (store === "utf8" || store === "largeUtf8") return rows === 0 ? 0 : OFFSET_BYTES[store] * (rows + 1);
  return Math.ceil((BITS[store]! * rows) / 8);
}

/** The first and the last offset. */
function spanOf(offsets: Uint8Array, size: 4 | 8, rows: number): [number, number] {
  if (offsets.length === 0) return [0, 0];
  const view = new DataView(offsets.buffer, offsets.byteOffset, offsets.byteLength);
  const at = (i: number) => (size === 4 ? view.getInt32(4 * i, true) : Number(view.getBigInt64(8 * i, true)));
  return [at(0), at(rows)];
}

import { type DecodePool, type Decoder, inOrder } from "../../../pool/index.ts";
import type { ByteSource } from "../../../source/index.ts";
import {
  type Batch,
  type Chunk,
  type ColumnInfo,
  checkReadOptions,
  damaged,
  type Part,
  type PickedColumn,
  pickColumns,
  pickParts,
  type ReadOptions,
  type Table,
} from "../../../table/index.ts";
import { linesBefore, type Piece, partsOf, pieceOf, piecesOf } from "./pieces.ts";
import type { RecordLayout } from "./records.ts";

/** The answer of a thread for a piece: its rows, or the first record that does not fit. */
export type TextAnswer =
  | { readonly rows: number; readonly columns: readonly Chunk[] }
  /** `line` counts from the piece's first line, which is 0. `message` continues "line N: ". */
  | { readonly fault: { readonly line: number; readonly message: string } };

/** The differences between the formats of text. */
export interface TextFormat<T> {
  readonly format: string;
  readonly columns: readonly ColumnInfo[];
  readonly layout: RecordLayout;
  /** Whether parts can be read on their own. If not, a file has one part. */
  readonly hasParts: boolean;
  readonly decoder: Decoder<T, TextAnswer>;
  /**
   * Decodes with compiled code, on this number of threads. Null if the decoder must do it. Default: the decoder does it.
   */
  readonly compiled?: (task: T, threads: number) => Promise<TextAnswer | null>;
  task(bytes: Uint8Array<ArrayBuffer>, columns: readonly PickedColumn[]): T;
}

/** A table in a file of text, whose records are lines. */
export class TextTable<T> implements Table {
  readonly format: string;
  readonly name: string;
  readonly rows: null = null;
  readonly columns: readonly ColumnInfo[];
  readonly parts: readonly Part[] | null;
  readonly #source: ByteSource;
  readonly #pool: DecodePool;
  readonly #text: TextFormat<T>;

  constructor(source: ByteSource, pool: DecodePool, text: TextFormat<T>) {
    this.format = text.format;
    this.name = source.name;
    this.columns = text.columns;
    this.parts = source.seekable ? textParts(source.size!, text) : null;
    this.#source = source;
    this.#pool = pool;
    this.#text = text;
  }

  async *read(options: ReadOptions = {}): AsyncGenerator<Batch> {
    checkReadOptions(options);
    const columns = pickColumns(this, options.columns);
    const { signal, onProgress } = options;
    // Reading from start to end finds the true ends of records, so parts are named only if some are left out.
    const wanted = pickParts(this, options.parts);
    const isWhole = wanted === null || wanted.length === this.parts?.length;
    const pieces = isWhole ? this.#whole(signal) : this.#some(wanted, signal);
    const { size } = this.#source;
    const totalBytes = isWhole ? size : wanted.reduce((sum, part) => sum + this.parts![part]!.bytes, 0);
    let rows = 0;
    let bytes = 0;
    const decoded = inOrder(pieces, (piece) => this.#decode(piece, columns), this.#pool.ahead, signal);
    for await (const { piece, answer, length } of decoded) {
      signal?.throwIfAborted();
      if ("fault" in answer) throw await this.#fault(piece, answer.fault, signal);
      rows += answer.rows;
      bytes += length;
      onProgress?.({ rows, totalRows: null, bytes, totalBytes });
      if (answer.rows > 0)
        yield { rows: answer.rows, part: this.parts === null ? null : piece.part, columns: answer.columns };
    }
  }

  async #decode(piece: Piece, columns: readonly PickedColumn[]) {
    const { decoder, compiled } = this.#text;
    const { part, offset, linesBefore, bytes } = piece;
    const { length } = bytes;
    const task = this.#text.task(bytes, columns);
    const answer =
      (await compiled?.(task, this.#pool.threads)) ?? (await this.#pool.run(decoder, task, [bytes.buffer]));
    return { piece: { part, offset, linesBefore }, answer, length };
  }

  async *#whole(signal: AbortSignal | undefined): AsyncGenerator<Piece> {
    const { layout, hasParts } = this.#text;
    for await (const piece of piecesOf(this.#source, layout, signal))
      yield hasParts ? piece : { ...piece, part: 0 };
  }

  async *#some(parts: readonly number[], signal: AbortSignal | undefined): AsyncGenerator<Piece> {
    for (const part of parts) {
      const piece = await pieceOf(this.#source, this.#text.layout, part, signal);
      if (piece.bytes.length > 0) yield piece;
    }
  }

  /** Turns a record that does not fit into an error with its line. Lines are counted only now. */
  async #fault(
    { offset, linesBefore: known }: Omit<Piece, "bytes">,
    { line, message }: { readonly line: number; readonly message: string },
    signal: AbortSignal | undefined,
  ): Promise<Error> {
    const before = known ?? (await linesBefore(this.#source, offset, this.#text.layout.newline, signal));
    return damaged(this.name, `line ${before + line + 1}: ${message}`);
  }

  async close(): Promise<void> {
    await Promise.all([this.#source.close(), this.#pool.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function textParts<T>(size: number, { layout, hasParts }: TextFormat<T>): Part[] {
  const part = (index: number, bytes: number): Part => ({ index, rows: null, bytes, statistics: () => null });
  if (!hasParts) return [part(0, size)];
  const { partBytes } = layout;
  return Array.from({ length: partsOf(size, layout) }, (_, i) =>
    part(i, Math.min(partBytes, size - i * partBytes)),
  );
}

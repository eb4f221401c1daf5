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
  /** Returns the compiled decoder of some columns, or null if there is none. */
  compiled?(columns: readonly PickedColumn[], threads: number): Promise<Compiled | null>;
  task(bytes: Uint8Array<ArrayBuffer>, columns: readonly PickedColumn[]): T;
}

/** A decoder in compiled code. */
export interface Compiled {
  /** Decodes a piece. Null if the format's decoder must do it, which finds what is wrong. */
  decode(bytes: Uint8Array<ArrayBuffer>): Promise<TextAnswer | null>;
  /** Decodes a part of an open file. */
  decodePart(descriptor: number, size: number, part: number): Promise<CompiledPart>;
}

/** A part of an open file, as compiled code decodes it. */
export interface CompiledPart {
  /** Where the records lie. */
  readonly offset: number;
  readonly bytes: number;
  /** Whether the part may start or end within a record, or could not be read. */
  readonly isCut: boolean;
  /** Null as for a piece. */
  readonly answer: TextAnswer | null;
}

/** The rows of a piece, or what is wrong with it. */
interface Answer {
  readonly piece: Omit<Piece, "bytes">;
  readonly answer: TextAnswer;
  /** Bytes of the piece. */
  readonly length: number;
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
  /** Parts that compiled code reads. */
  readonly #reading = new Set<Promise<void>>();

  constructor(source: ByteSource, pool: DecodePool, text: TextFormat<T>) {
    this.format = text.format;
    this.name = source.name;
    this.columns = text.columns;
    this.parts = source.rereadable ? textParts((source.packed ?? source).size!, text) : null;
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
    const { packed } = this.#source;
    const { size } = packed ?? this.#source;
    const totalBytes = isWhole ? size : wanted.reduce((sum, part) => sum + this.parts![part]!.bytes, 0);
    let rows = 0;
    let bytes = 0;
    const answers = this.#answers(columns, wanted, isWhole, signal);
    for await (const { piece, answer, length } of answers) {
      signal?.throwIfAborted();
      if ("fault" in answer) throw await this.#fault(piece, answer.fault, signal);
      rows += answer.rows;
      bytes = packed === null ? bytes + length : packed.taken();
      onProgress?.({ rows, totalRows: null, bytes, totalBytes });
      if (answer.rows > 0)
        yield { rows: answer.rows, part: this.parts === null ? null : piece.part, columns: answer.columns };
    }
  }

  /** Decodes the pieces of a read, in the order of the file. */
  async *#answers(
    columns: readonly PickedColumn[],
    wanted: readonly number[] | null,
    isWhole: boolean,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Answer> {
    const compiled = (await this.#text.compiled?.(columns, this.#pool.threads)) ?? null;
    const decode = (piece: Piece): Promise<Answer> => this.#decode(piece, columns, compiled);
    const { ahead } = this.#pool;
    const { layout, hasParts } = this.#text;
    let rest = { at: 0, start: layout.start };
    if (compiled !== null && wanted !== null && this.#source.file !== null) {
      // A file of one part is read in the same pieces as others.
      const parts = hasParts || !isWhole ? wanted : [...Array(partsOf(this.#source.size!, layout)).keys()];
      const left = yield* this.#parts(columns, parts, compiled, signal);
      if (left === null) return;
      rest = left;
    }
    const pieces = isWhole
      ? this.#whole({ ...layout, start: rest.start }, signal)
      : this.#some(wanted!.slice(rest.at), signal);
    yield* inOrder(pieces, decode, ahead, signal);
  }

  /**
   * Decodes parts of an open file, which compiled code reads on its own.
   * @returns null, or the first part that must be read with what is before it, and the offset of its first record
   */
  async *#parts(
    columns: readonly PickedColumn[],
    wanted: readonly number[],
    compiled: Compiled,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Answer, { readonly at: number; readonly start: number } | null> {
    const decode = (part: number) => this.#tracked(this.#decodePart(part, columns, compiled, signal));
    let { start } = this.#text.layout;
    let at = 0;
    for await (const found of inOrder(wanted, decode, this.#pool.ahead, signal)) {
      if (found === null) return { at, start };
      at++;
      if (found.length === 0) continue;
      start = found.piece.offset + found.length;
      yield found;
    }
    return null;
  }

  /** Returns null if the part may be cut within a record. */
  async #decodePart(
    part: number,
    columns: readonly PickedColumn[],
    compiled: Compiled,
    signal: AbortSignal | undefined,
  ): Promise<Answer | null> {
    const { file, size } = this.#source;
    // The source's own errors say that it is closed.
    if (file === null) return null;
    const { offset, bytes: length, isCut, answer } = await compiled.decodePart(file.descriptor, size!, part);
    file.check();
    if (isCut) return null;
    const piece: Omit<Piece, "bytes"> = {
      part: this.#text.hasParts ? part : 0,
      offset,
      linesBefore: null,
    };
    if (answer !== null) return { piece, answer, length };
    const bytes = await this.#source.read(offset, length, { signal });
    return this.#decode({ ...piece, bytes }, columns, null);
  }

  async #decode(
    { bytes, ...piece }: Piece,
    columns: readonly PickedColumn[],
    compiled: Compiled | null,
  ): Promise<Answer> {
    const { decoder, task } = this.#text;
    const { length } = bytes;
    const answer =
      (await compiled?.decode(bytes)) ??
      (await this.#pool.run(decoder, task(bytes, columns), [bytes.buffer]));
    return { piece, answer, length };
  }

  /** Keeps the source open until compiled code has read it. */
  #tracked<R>(reading: Promise<R>): Promise<R> {
    const ended = reading.then(
      () => {},
      () => {},
    );
    this.#reading.add(ended);
    ended.then(() => this.#reading.delete(ended));
    return reading;
  }

  async *#whole(layout: RecordLayout, signal: AbortSignal | undefined): AsyncGenerator<Piece> {
    const { hasParts } = this.#text;
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
    await Promise.all(this.#reading);
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

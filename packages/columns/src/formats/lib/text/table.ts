import { type DecodePool, type Decoder, inOrder } from "../../../pool/index.ts";
import type { ByteSource } from "../../../source/index.ts";
import {
  type BadRows,
  type Batch,
  type Chunk,
  type ColumnInfo,
  type CountsBatch,
  type CountsChunk,
  checkReadOptions,
  damaged,
  discard,
  lend,
  type Part,
  type PickedColumn,
  pickColumns,
  pickParts,
  type ReadCountsOptions,
  type ReadOptions,
  type Table,
} from "../../../table/index.ts";
import { linesBefore, type Piece, partsOf, pieceOf, piecesOf } from "./pieces.ts";
import type { RecordLayout } from "./records.ts";

/** The answer of a thread for a piece: its rows, or the first record that does not fit. */
export type TextAnswer =
  | {
      readonly rows: number;
      readonly columns: readonly (Chunk | CountsChunk)[];
      readonly bad?: BadRecords;
    }
  | { readonly fault: Fault };

/** A column to read. */
export interface TextColumn extends PickedColumn {
  /** Whether equal values may be counted, without their rows. */
  readonly isCounted: boolean;
}

/** A record that does not fit. */
interface Fault {
  /** Counted from the piece's first line, which is 0. */
  readonly line: number;
  /** It continues "line N: ". */
  readonly message: string;
}

/** Records of a piece that were left out, since they do not fit. */
interface BadRecords {
  readonly rows: number;
  readonly first: Fault;
}

/** The differences between the formats of text. */
export interface TextFormat<T> {
  readonly format: string;
  readonly columns: readonly ColumnInfo[];
  /** The options that were guessed. */
  readonly guessed?: Readonly<Record<string, unknown>>;
  readonly layout: RecordLayout;
  /** Whether records that do not fit are left out, such as one whose quotation mark is never closed. */
  readonly skipsBadRows?: boolean;
  /** Whether parts can be read on their own. If not, a file has one part. */
  readonly hasParts: boolean;
  readonly decoder: Decoder<T, TextAnswer>;
  /** Returns the compiled decoder of some columns, or null if there is none. */
  compiled?(columns: readonly TextColumn[], threads: number): Promise<Compiled | null>;
  /** @param isCompiled whether the thread that decodes is to do so in WebAssembly */
  task(bytes: Uint8Array<ArrayBuffer>, columns: readonly TextColumn[], isCompiled: boolean): T;
}

/** A decoder in compiled code. */
export interface Compiled {
  /** Decodes a piece. Null if JavaScript must do it, which finds what is wrong. */
  decode(bytes: Uint8Array<ArrayBuffer>): Promise<TextAnswer | null>;
  /** Decodes a part of an open file, as the addon does. Null: the code is WebAssembly, which runs on the pool's threads. */
  readonly decodePart: ((descriptor: number, size: number, part: number) => Promise<CompiledPart>) | null;
}

type DecodePart = NonNullable<Compiled["decodePart"]>;

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
  readonly guessed: Readonly<Record<string, unknown>>;
  readonly #bad = new BadPieces();
  readonly #source: ByteSource;
  readonly #pool: DecodePool;
  readonly #text: TextFormat<T>;
  /** Parts that compiled code reads. */
  readonly #reading = new Set<Promise<void>>();

  constructor(source: ByteSource, pool: DecodePool, text: TextFormat<T>) {
    this.format = text.format;
    this.name = source.name;
    this.columns = text.columns;
    this.guessed = text.guessed ?? {};
    this.parts = source.rereadable ? textParts((source.packed ?? source).size!, text) : null;
    this.#source = source;
    this.#pool = pool;
    this.#text = text;
    lend(this, discard);
  }

  async *read(options: ReadOptions = {}): AsyncGenerator<Batch> {
    checkReadOptions(options);
    yield* this.#batches(options, () => false) as AsyncGenerator<Batch>;
  }

  /** Compiled code counts equal values where it reads them. */
  async *readCounts({ rows, ...options }: ReadCountsOptions = {}): AsyncGenerator<CountsBatch> {
    checkReadOptions(options);
    const kept = new Set(pickColumns(this, rows ?? []).map(({ name }) => name));
    yield* this.#batches(options, (name) => !kept.has(name));
  }

  async *#batches(options: ReadOptions, isCounted: (name: string) => boolean): AsyncGenerator<CountsBatch> {
    const columns = pickColumns(this, options.columns).map(
      (column): TextColumn => ({ ...column, isCounted: isCounted(column.name) }),
    );
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
      if (answer.bad !== undefined) await this.#note(piece, answer.bad, signal);
      rows += answer.rows;
      bytes = packed === null ? bytes + length : packed.taken();
      onProgress?.({ rows, totalRows: null, bytes, totalBytes });
      if (answer.rows > 0)
        yield { rows: answer.rows, part: this.parts === null ? null : piece.part, columns: answer.columns };
    }
  }

  /** Decodes the pieces of a read, in the order of the file. */
  async *#answers(
    columns: readonly TextColumn[],
    wanted: readonly number[] | null,
    isWhole: boolean,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Answer> {
    const compiled = (await this.#text.compiled?.(columns, this.#pool.threads)) ?? null;
    const decodePart = compiled?.decodePart ?? null;
    const isPooled = compiled !== null && decodePart === null;
    const own = isPooled ? null : compiled;
    const decode = (piece: Piece): Promise<Answer> => this.#decode(piece, columns, own, isPooled);
    const { ahead } = this.#pool;
    const { layout, hasParts } = this.#text;
    let rest = { at: 0, start: layout.start };
    if (decodePart !== null && wanted !== null && this.#source.file !== null) {
      // A file of one part is read in the same pieces as others.
      const parts = hasParts || !isWhole ? wanted : [...Array(partsOf(this.#source.size!, layout)).keys()];
      const left = yield* this.#parts(columns, parts, decodePart, signal);
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
    columns: readonly TextColumn[],
    wanted: readonly number[],
    decodeAt: DecodePart,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Answer, { readonly at: number; readonly start: number } | null> {
    const decode = (part: number) => this.#tracked(this.#decodePart(part, columns, decodeAt, signal));
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
    columns: readonly TextColumn[],
    decodeAt: DecodePart,
    signal: AbortSignal | undefined,
  ): Promise<Answer | null> {
    const { file, size } = this.#source;
    // The source's own errors say that it is closed.
    if (file === null) return null;
    const { offset, bytes: length, isCut, answer } = await decodeAt(file.descriptor, size!, part);
    file.check();
    if (isCut) return null;
    const piece: Omit<Piece, "bytes"> = {
      part: this.#text.hasParts ? part : 0,
      offset,
      linesBefore: null,
    };
    if (answer !== null) return { piece, answer, length };
    const bytes = await this.#source.read(offset, length, { signal });
    const decoded = await this.#decode({ ...piece, bytes }, columns, null, false);
    // A part that starts or ends within a record does not fit either.
    return "fault" in decoded.answer || decoded.answer.bad !== undefined ? null : decoded;
  }

  async #decode(
    { bytes, ...piece }: Piece,
    columns: readonly TextColumn[],
    compiled: Compiled | null,
    isPooled: boolean,
  ): Promise<Answer> {
    const { decoder, task } = this.#text;
    const { length } = bytes;
    const answer =
      (await compiled?.decode(bytes)) ??
      (await this.#pool.run(decoder, task(bytes, columns, isPooled), [bytes.buffer]));
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
    const { hasParts, skipsBadRows = false } = this.#text;
    for await (const piece of piecesOf(this.#source, { ...layout, skipsBadRows }, signal))
      yield hasParts ? piece : { ...piece, part: 0 };
  }

  async *#some(parts: readonly number[], signal: AbortSignal | undefined): AsyncGenerator<Piece> {
    for (const part of parts) {
      const piece = await pieceOf(this.#source, this.#text.layout, part, signal);
      if (piece.bytes.length > 0) yield piece;
    }
  }

  /** Turns a record that does not fit into an error with its line. */
  async #fault(piece: Omit<Piece, "bytes">, fault: Fault, signal: AbortSignal | undefined): Promise<Error> {
    return damaged(this.name, await this.#lineOf(piece, fault, signal));
  }

  /** Lines are counted only now. */
  async #lineOf(
    { offset, linesBefore: known }: Omit<Piece, "bytes">,
    { line, message }: Fault,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const before = known ?? (await linesBefore(this.#source, offset, this.#text.layout.newline, signal));
    return `line ${before + line + 1}: ${message}`;
  }

  async #note(
    piece: Omit<Piece, "bytes">,
    { rows, first }: BadRecords,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const isFirst = this.#bad.add(piece.offset, rows);
    if (isFirst) this.#bad.first = await this.#lineOf(piece, first, signal);
  }

  get badRows(): BadRows | null {
    return this.#bad.found;
  }

  async close(): Promise<void> {
    await Promise.all(this.#reading);
    await Promise.all([this.#source.close(), this.#pool.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The records that were left out, by the piece that they lie in. */
class BadPieces {
  /** The error in the first one. */
  first = "";
  readonly #rows = new Map<number, number>();
  #offset = Number.POSITIVE_INFINITY;

  /** Returns whether the piece is the first one so far. */
  add(offset: number, rows: number): boolean {
    this.#rows.set(offset, rows);
    const isFirst = offset < this.#offset;
    if (isFirst) this.#offset = offset;
    return isFirst;
  }

  get found(): BadRows | null {
    let rows = 0;
    for (const each of this.#rows.values()) rows += each;
    return rows === 0 ? null : { rows, first: this.first };
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

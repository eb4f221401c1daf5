import type { ColumnMetaData } from "hyparquet";
import type { ByteSource } from "../../source/index.ts";
import { damaged, fault, quoted } from "../../table/index.ts";
import type { HeldPage, HeldPages, Piece } from "./held.ts";
import { MAX_PAGE_BOOLEANS, MAX_PAGE_ROWS } from "./limits.ts";
import { OverLimit, type Page, pageAt } from "./pages.ts";
import type { Leaf } from "./schema.ts";
import type { ColumnTask, PageTask } from "./task.ts";

/** Bytes that a page's header needs in most files. */
const HEADER_GUESS = 4096;

/** A page whose bytes are in memory, and their position in the file. */
interface LoadedPage {
  readonly at: number;
  readonly body: Uint8Array;
  readonly task: NonNullable<Page["task"]>;
}

/** How a chunk is read. */
export interface ChunkReads {
  readonly windowBytes: number;
  readonly batchRows: number;
  readonly pages: HeldPages;
}

/** Reads the pages of a column chunk in order, a window of bytes at a time, and cuts them into tasks. */
export class ChunkReader {
  readonly #source: ByteSource;
  readonly #leaf: Leaf;
  readonly #codec: string;
  readonly #end: number;
  readonly #values: number;
  readonly #windowBytes: number;
  readonly #batchRows: number;
  readonly #pages: HeldPages;
  #at: number;
  #window: Uint8Array = new Uint8Array(0);
  #windowAt: number;
  #dictionary: LoadedPage | null = null;
  /** A page of more rows than a batch. It is decoded once. */
  #held: HeldPage | null = null;
  /**
   * The page that an earlier task took only in part, and the number of its rows that it took. A large page is read again,
   * so that those of all columns do not stay in memory.
   */
  #rest: { readonly page: LoadedPage; readonly length: number; readonly taken: number } | null = null;
  /** Values of the pages that were loaded, and tasks that were made. */
  #loaded = 0;
  #tasks = 0;

  /**
   * @param reads bytes that it reads at a time, rows of a batch, and the pages that several batches share.
   * @throws ERR_INPUT if the metadata of the chunk are damaged.
   */
  constructor(source: ByteSource, leaf: Leaf, meta: ColumnMetaData, rows: number, reads: ChunkReads) {
    this.#source = source;
    this.#windowBytes = reads.windowBytes;
    this.#batchRows = reads.batchRows;
    this.#pages = reads.pages;
    this.#leaf = leaf;
    this.#codec = String(meta.codec);
    const data = Number(meta.data_page_offset);
    const dictionary = meta.dictionary_page_offset === undefined ? 0 : Number(meta.dictionary_page_offset);
    // Some writers state the position 0, where the file's magic number is.
    const start = dictionary > 0 ? Math.min(dictionary, data) : data;
    const length = Number(meta.total_compressed_size);
    if (Number.isNaN(start + length)) throw this.#damaged("the place of its chunk is missing");
    if (!(start >= 4 && length >= 0 && start + length <= source.size!)) {
      throw this.#damaged(`its chunk of ${length} bytes at ${start} lies outside the file`);
    }
    this.#values = Number(meta.num_values);
    if (this.#values !== rows)
      throw this.#damaged(`it has ${this.#values} values in a row group of ${rows} rows`);
    this.#at = start;
    this.#windowAt = start;
    this.#end = start + length;
  }

  #damaged(message: string): Error {
    return damaged(this.#source.name, `column ${quoted(this.#leaf.name)} is damaged: ${message}`);
  }

  /** Returns the next rows, in pieces. */
  async take(rows: number, signal: AbortSignal | undefined): Promise<Piece[]> {
    const pieces: Piece[] = [];
    for (let left = rows; left > 0; ) {
      const piece = this.#held?.take(left) ?? (await this.#take(left, signal));
      if (this.#held?.isTaken) this.#held = null;
      if (piece === null) continue;
      pieces.push(piece);
      left -= piece.rows;
    }
    return pieces;
  }

  /** Returns at most the next rows. They end before a page to hold. Null if that page comes first. */
  async #take(rows: number, signal: AbortSignal | undefined): Promise<Piece | null> {
    const pages: LoadedPage[] = [];
    const skip = this.#rest?.taken ?? 0;
    let have = -skip;
    if (this.#rest !== null) {
      const { page, length } = this.#rest;
      const isHeld = page.body.length === length;
      pages.push(isHeld ? page : { ...page, body: await this.#source.read(page.at, length, { signal }) });
      have += page.task.values;
      this.#rest = null;
    }
    while (have < rows) {
      const page = await this.#next(signal);
      if (page === null) throw this.#damaged(`its pages hold ${this.#loaded} of ${this.#values} values`);
      if (page.task.values > this.#batchRows) {
        this.#held = this.#pages.hold(this.#task([page], 0, page.task.values));
        if (this.#held !== null) break;
      }
      pages.push(page);
      have += page.task.values;
    }
    if (pages.length === 0) return null;
    const last = pages.at(-1);
    if (have > rows && last !== undefined) {
      const { length } = last.body;
      const page = length > this.#windowBytes ? { ...last, body: new Uint8Array(0) } : last;
      this.#rest = { page, length, taken: last.task.values - (have - rows) };
    }
    const taken = Math.min(rows, have);
    return { kind: "pages", rows: taken, task: this.#task(pages, skip, taken) };
  }

  async #next(signal: AbortSignal | undefined): Promise<LoadedPage | null> {
    while (this.#at < this.#end) {
      const page = await this.#load(signal);
      if (page === null) continue;
      if (page.task.kind === "dictionary") {
        if (this.#dictionary !== null || this.#loaded > 0)
          throw this.#damaged("its dictionary is not its first page");
        this.#dictionary = page;
        continue;
      }
      if (page.task.values === 0) continue;
      this.#loaded += page.task.values;
      if (this.#loaded > this.#values) throw this.#damaged(`its pages hold more than ${this.#values} values`);
      return page;
    }
    return null;
  }

  /** Loads the page at the current position. Null for a page without values. */
  async #load(signal: AbortSignal | undefined): Promise<LoadedPage | null> {
    const left = this.#end - this.#at;
    let page: Page | null = null;
    for (let bytes = HEADER_GUESS; page === null; bytes *= 4) {
      const length = Math.min(bytes, left);
      const head = await this.#bytes(this.#at, length, signal);
      try {
        page = pageAt(head, this.#leaf.store === "boolean" ? MAX_PAGE_BOOLEANS : MAX_PAGE_ROWS);
      } catch (error) {
        const { message } = error as Error;
        if (error instanceof OverLimit)
          throw fault(this.#source.name, "ERR_LIMIT", `column ${quoted(this.#leaf.name)}: ${message}`);
        throw this.#damaged(message);
      }
      if (page === null && length === left) throw this.#damaged("its last page ends inside its header");
    }
    const { headerBytes, bodyBytes, task } = page;
    if (headerBytes + bodyBytes > left)
      throw this.#damaged(`a page of ${bodyBytes} bytes ends after its chunk`);
    const at = this.#at + headerBytes;
    const body = task === null ? null : await this.#bytes(at, bodyBytes, signal);
    this.#at += headerBytes + bodyBytes;
    return body === null || task === null ? null : { at, body, task };
  }

  /** Returns bytes of the file, and reads on for the next call. */
  async #bytes(at: number, length: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const from = at - this.#windowAt;
    if (from < 0 || from + length > this.#window.length) {
      if (length > this.#windowBytes) return await this.#long(at, length, signal);
      const ahead = Math.min(this.#windowBytes, this.#end - at);
      this.#window = await this.#source.read(at, ahead, { signal });
      this.#windowAt = at;
      return this.#window.subarray(0, length);
    }
    return this.#window.subarray(from, from + length);
  }

  /** Returns a page that is longer than a window, with the bytes of it that the window has. It stays in nobody's memory. */
  async #long(at: number, length: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const from = at - this.#windowAt;
    const known = from < 0 ? this.#window.subarray(0, 0) : this.#window.subarray(from);
    const rest = await this.#source.read(at + known.length, length - known.length, { signal });
    if (known.length === 0) return rest;
    const bytes = new Uint8Array(length);
    bytes.set(known);
    bytes.set(rest, known.length);
    return bytes;
  }

  /** Makes a task of pages. Their bytes are copied together unless they lie in one window. */
  #task(pages: readonly LoadedPage[], skip: number, rows: number): ColumnTask {
    const all = this.#dictionary === null ? pages : [this.#dictionary, ...pages];
    const bytes = inOne(all) ?? joined(all);
    let copied = 0;
    const isOne = bytes.buffer === all[0]!.body.buffer;
    const tasks = all.map(({ body, task }): PageTask => {
      const start = isOne ? body.byteOffset - bytes.byteOffset : copied;
      copied += body.length;
      return { ...task, start, end: start + body.length };
    });
    const dictionary = this.#dictionary === null ? null : tasks.shift()!;
    const isAlone = this.#tasks++ === 0 && this.#rest === null && this.#loaded === this.#values;
    return { ...this.#column, bytes, isAlone, dictionary, pages: tasks, skip, rows };
  }

  /** The part of a task that is the same for all. */
  get #column() {
    const { name, physical, typeLength, level, store } = this.#leaf;
    return { name, physical, typeLength, level, store: store!, codec: this.#codec };
  }
}

/** Returns the part of a window that holds pages, if one does, and hardly anything else. */
function inOne(pages: readonly LoadedPage[]): Uint8Array<ArrayBuffer> | null {
  const [first] = pages;
  const last = pages.at(-1)!;
  const { buffer, byteOffset } = first!.body;
  const length = last.body.byteOffset + last.body.length - byteOffset;
  const isOne = pages.every(({ body }) => body.buffer === buffer) && length >= 0;
  const own = pages.reduce((sum, { body }) => sum + body.length, 0);
  return isOne && length <= 2 * own ? new Uint8Array(buffer as ArrayBuffer, byteOffset, length) : null;
}

function joined(pages: readonly LoadedPage[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pages.reduce((sum, { body }) => sum + body.length, 0));
  let at = 0;
  for (const { body } of pages) {
    bytes.set(body, at);
    at += body.length;
  }
  return bytes;
}

/** A place that bytes come from. */
export interface ByteSource extends AsyncDisposable {
  /** Name in messages. */
  readonly name: string;
  /** Number of bytes, or null for a stream of unknown length. */
  readonly size: number | null;
  /**
   * The version of the content: the ETag or Last-Modified of a server, or the time of a local file's last change in
   * nanoseconds. Null if nothing is known, as for a stream.
   */
  readonly version: string | null;
  /** Whether `read` works. A stream can only be read once, from its start. */
  readonly seekable: boolean;
  /** Whether `stream` works more than once. */
  readonly rereadable: boolean;
  /** The bytes that the content is unpacked from: their number, or null for a stream, and how many were taken. */
  readonly packed: { readonly size: number | null; taken(): number } | null;
  /**
   * Reads exactly `length` bytes from `offset` on. The result has memory of its own.
   * @throws ERR_INPUT if the place has fewer bytes, or changed since it was opened.
   */
  read(offset: number, length: number, options?: SourceReadOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns the first bytes: `length`, or all if there are fewer. A stream still yields them afterwards. */
  peek(length: number, options?: SourceReadOptions): Promise<Uint8Array>;
  /** Yields all bytes in order. */
  stream(options?: SourceReadOptions): AsyncIterable<Uint8Array>;
  /** The open file that the bytes lie in, for compiled code. Null: there is none, or it is closed. */
  readonly file: OpenFile | null;
  close(): Promise<void>;
}

/** An open local file. A program that reads it keeps its source open meanwhile. */
export interface OpenFile {
  readonly descriptor: number;
  /** @throws ERR_INPUT if the file was written to since it was opened. */
  check(): void;
}

/** Options of reading from a source. */
export interface SourceReadOptions {
  readonly signal?: AbortSignal | undefined;
}

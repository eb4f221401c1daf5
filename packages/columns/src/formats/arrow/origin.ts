import type { ByteSource } from "../../source/index.ts";
import { damaged, fault } from "../../table/index.ts";
import type { Dictionaries, DictionaryMessage } from "./dictionaries.ts";
import { MAX_BLOCKS, MAX_BUFFER_BYTES } from "./limits.ts";
import {
  type Block,
  type Blocks,
  checkedMessage,
  footerOf,
  messageAt,
  prefixOf,
  type RecordBatch,
} from "./messages/index.ts";
import type { ReadBody } from "./pieces.ts";

/** A record batch and its body. The dictionaries are those that it was written with when it is handed out. */
export interface OpenBatch {
  readonly part: number | null;
  readonly batch: RecordBatch;
  readonly bodyBytes: number;
  readonly read: ReadBody;
}

/** The place of a table's messages. */
export interface Origin {
  /** Metadata of the schema's message. */
  readonly schema: Uint8Array;
  readonly batches: readonly Block[] | null;
  /** Yields record batches in order, and first adds the dictionaries before each. */
  open(
    parts: readonly number[] | null,
    dictionaries: Dictionaries,
    signal: AbortSignal | undefined,
  ): AsyncIterable<OpenBatch>;
  /** Stops a stream. */
  close(): void;
}

/** Position of the first message of a file, after its magic number. */
const FILE_START = 8;

/** Opens a file, or a stream that is stored where it can be read anywhere. */
export async function seekableOrigin(
  source: ByteSource,
  isFile: boolean,
  signal: AbortSignal | undefined,
): Promise<Origin> {
  const start = isFile ? FILE_START : 0;
  const first = await messageAt(source, start, signal);
  if (first?.message.kind !== "schema") throw damaged(source.name, "its first message is not a schema");
  const { dictionaries, batches } = isFile
    ? await footerOf(source, signal)
    : await walk(source, first.end, signal);
  const before = [...dictionaries].sort((a, b) => a.at - b.at);
  return {
    schema: first.metadata,
    batches,
    async *open(parts, known, readSignal) {
      let next = 0;
      for (const part of parts ?? batches.keys()) {
        const { at } = batches[part]!;
        for (; next < before.length && before[next]!.at < at; next++) {
          known.add(await dictionaryAt(source, before[next]!.at, readSignal));
        }
        const placed = await messageAt(source, at, readSignal);
        if (placed?.message.kind !== "batch")
          throw damaged(source.name, `the message at ${at} is not a record batch`);
        const { batch, bodyBytes } = placed.message;
        yield { part, batch, bodyBytes, read: bodyOf(source, placed.bodyAt, readSignal) };
      }
    },
    close() {},
  };
}

const bodyOf =
  (source: ByteSource, bodyAt: number, signal: AbortSignal | undefined): ReadBody =>
  (at, length) =>
    source.read(bodyAt + at, length, { signal });

async function dictionaryAt(
  source: ByteSource,
  at: number,
  signal: AbortSignal | undefined,
): Promise<DictionaryMessage> {
  const placed = await messageAt(source, at, signal);
  if (placed?.message.kind !== "dictionary")
    throw damaged(source.name, `the message at ${at} is not a dictionary`);
  return { ...placed.message, read: bodyOf(source, placed.bodyAt, undefined) };
}

/** Finds the messages of a stream. */
async function walk(source: ByteSource, start: number, signal: AbortSignal | undefined): Promise<Blocks> {
  const dictionaries: Block[] = [];
  const batches: Block[] = [];
  let at = start;
  for (;;) {
    const placed = await messageAt(source, at, signal);
    if (placed === null) return { dictionaries, batches };
    const { message, end } = placed;
    const block = { at, bytes: end - at };
    if (message.kind === "batch") batches.push({ ...block, rows: message.batch.rows });
    if (message.kind === "dictionary") dictionaries.push({ ...block, rows: null });
    if (batches.length + dictionaries.length > MAX_BLOCKS)
      throw fault(source.name, "ERR_LIMIT", `expected at most ${MAX_BLOCKS} messages`);
    at = end;
  }
}

/** Opens a stream that can be read once. */
export async function streamOrigin(source: ByteSource, signal: AbortSignal | undefined): Promise<Origin> {
  const stopped = new AbortController();
  const stop = () => stopped.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  const reader = new StreamReader(source, stopped.signal);
  const first = await reader.next().finally(() => signal?.removeEventListener("abort", stop));
  if (first?.message.kind !== "schema") throw damaged(source.name, "its first message is not a schema");
  return {
    schema: first.metadata,
    batches: null,
    async *open(_parts, known, readSignal) {
      const onAbort = () => stopped.abort(readSignal?.reason);
      readSignal?.throwIfAborted();
      readSignal?.addEventListener("abort", onAbort, { once: true });
      try {
        for (;;) {
          const next = await reader.next();
          if (next === null) return;
          const { message, body } = next;
          const read: ReadBody = async (at, length) => body.slice(at, at + length);
          if (message.kind === "dictionary") known.add({ ...message, read });
          if (message.kind === "batch")
            yield { part: null, batch: message.batch, bodyBytes: message.bodyBytes, read };
        }
      } finally {
        readSignal?.removeEventListener("abort", onAbort);
      }
    },
    close: () => stopped.abort(),
  };
}

/** Reads messages with their bodies from a stream. */
class StreamReader {
  readonly #name: string;
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: ByteSource, signal: AbortSignal) {
    this.#name = source.name;
    this.#pieces = source.stream({ signal })[Symbol.asyncIterator]();
  }

  async next() {
    const start = await this.#take(4, true);
    if (start === null) return null;
    const isNew = new DataView(start.buffer, start.byteOffset).getUint32(0, true) === 0xffff_ffff;
    const prefix = new Uint8Array(isNew ? 8 : 4);
    prefix.set(start);
    if (isNew) prefix.set((await this.#take(4, false))!, 4);
    const { length } = prefixOf(this.#name, prefix);
    if (length === 0) return null;
    const metadata = (await this.#take(length, false))!;
    const message = checkedMessage(this.#name, metadata);
    if (message.bodyBytes > MAX_BUFFER_BYTES) {
      throw fault(
        this.#name,
        "ERR_LIMIT",
        `expected messages of at most ${MAX_BUFFER_BYTES} bytes in a stream but received ${message.bodyBytes}; save it to a file`,
      );
    }
    return { message, metadata, body: (await this.#take(message.bodyBytes, false))! };
  }

  /** Returns bytes of their own. Null at the end of the stream, if it may end here. Memory grows with the bytes that came. */
  async #take(length: number, mayEnd: boolean): Promise<Uint8Array<ArrayBuffer> | null> {
    const pieces: Uint8Array[] = [];
    let have = 0;
    while (have < length) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#pieces.next();
        if (done) {
          if (mayEnd && have === 0) return null;
          throw damaged(this.#name, "the stream ends inside a message");
        }
        this.#rest = value;
        continue;
      }
      const piece = this.#rest.subarray(0, length - have);
      this.#rest = this.#rest.subarray(piece.length);
      pieces.push(piece);
      have += piece.length;
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}

import { type FileEntry, Reader, ZipReader } from "@zip.js/zip.js";
import type { ByteSource } from "../../source/index.ts";
import { asDamage, checkColumnCount, damaged, fault } from "../../table/index.ts";

/** An NPY file in an archive. */
export interface ArchiveEntry {
  /** Its name without ".npy". */
  readonly name: string;
  /** Bytes of the NPY file. */
  readonly size: number;
  /** Offset of its bytes in the archive, or null if they are compressed. */
  readonly storedAt: number | null;
  /** Yields the bytes, and checks their checksum at their end. */
  stream(signal: AbortSignal | undefined): AsyncIterable<Uint8Array>;
}

/** Bytes that one read of the archive's directory takes at most. A directory has some 100 bytes per array. */
const MAX_READ_BYTES = 67_108_864;
/** DEFLATE turns one byte into at most 1,032. A higher ratio is a lie. */
const MAX_RATIO = 1_040;
const RATIO_SLACK_BYTES = 4_096;

const STORED = 0;
const DEFLATED = 8;
/** Bytes of a local header before the name. The lengths of the name and of the extra field are at 26 and 28. */
const LOCAL_HEADER_BYTES = 30;

/**
 * Lists the NPY files of a zip archive.
 * @throws ERR_INPUT for a damaged archive, ERR_UNSUPPORTED for encryption and compressions other than deflate, ERR_LIMIT
 * for too many entries and for sizes that no compression reaches.
 */
export async function entriesOf(
  source: ByteSource,
  signal: AbortSignal | undefined,
): Promise<ArchiveEntry[]> {
  const { name } = source;
  const reader = new ZipReader(new SourceReader(source, signal), {
    useWebWorkers: false,
    checkSignature: true,
  });
  const entries: ArchiveEntry[] = [];
  const ranges: { readonly from: number; readonly to: number }[] = [];
  for await (const entry of reader.getEntriesGenerator()) {
    if (entry.directory || !entry.filename.endsWith(".npy")) continue;
    checkColumnCount(name, entries.length + 1);
    checkEntry(name, entry);
    const at = await dataOffset(source, entry, signal);
    ranges.push({ from: at, to: at + entry.compressedSize });
    entries.push({
      name: entry.filename.slice(0, -".npy".length),
      size: entry.uncompressedSize,
      storedAt: entry.compressionMethod === STORED ? at : null,
      stream: (readSignal) => inflated(name, entry, readSignal),
    });
  }
  // Entries that share bytes let a small archive grow without end.
  ranges.sort((a, b) => a.from - b.from);
  if (ranges.some(({ from }, i) => i > 0 && from < ranges[i - 1]!.to)) {
    throw damaged(name, "expected entries of bytes of their own but two of them share bytes");
  }
  return entries;
}

function checkEntry(
  name: string,
  { filename, compressedSize, uncompressedSize, compressionMethod, encrypted }: FileEntry,
): void {
  const what = `the array ${filename.slice(0, 60)}`;
  if (encrypted) throw fault(name, "ERR_UNSUPPORTED", `${what} is encrypted`);
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) {
    throw fault(
      name,
      "ERR_UNSUPPORTED",
      `expected ${what} to be stored or deflated but it has compression ${compressionMethod}`,
    );
  }
  if (compressionMethod === STORED && compressedSize !== uncompressedSize) {
    throw damaged(
      name,
      `${what} is stored, but its two sizes differ: ${compressedSize} and ${uncompressedSize}`,
    );
  }
  if (uncompressedSize > MAX_RATIO * compressedSize + RATIO_SLACK_BYTES) {
    throw fault(
      name,
      "ERR_LIMIT",
      `expected ${what} to be at most ${MAX_RATIO} times as large as its ${compressedSize} bytes but it states ${uncompressedSize}`,
    );
  }
}

/** Returns the offset of an entry's data, which its local header precedes. */
async function dataOffset(
  source: ByteSource,
  { offset }: FileEntry,
  signal: AbortSignal | undefined,
): Promise<number> {
  const header = await source.read(offset, LOCAL_HEADER_BYTES, { signal });
  const view = new DataView(header.buffer);
  return offset + LOCAL_HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
}

/** Yields the content of an entry as it is decompressed, and no faster than the caller reads it. */
async function* inflated(
  name: string,
  entry: FileEntry,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const stop = new AbortController();
  const either = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  const done = entry
    .getData(writable, { checkSignature: true, useWebWorkers: false, signal: either })
    .catch(async (error: unknown) => {
      // The reader below waits for the stream, which must end with the same error.
      await writable.abort(error).catch(() => {});
      throw error;
    });
  done.catch(() => {});
  let bytes = 0;
  try {
    for await (const piece of readable) {
      bytes += piece.length;
      if (bytes > entry.uncompressedSize)
        throw damaged(name, `expected ${entry.uncompressedSize} bytes of ${entry.filename} but found more`);
      yield piece;
    }
    await done;
  } catch (error) {
    signal?.throwIfAborted();
    throw asDamage(name, error);
  } finally {
    stop.abort();
    await done.catch(() => {});
  }
}

/** Lets the library read a source. */
class SourceReader extends Reader<ByteSource> {
  readonly #source: ByteSource;
  readonly #signal: AbortSignal | undefined;

  constructor(source: ByteSource, signal: AbortSignal | undefined) {
    super(source);
    this.#source = source;
    this.#signal = signal;
    this.size = source.size!;
  }

  override async readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    if (length > MAX_READ_BYTES) {
      throw fault(
        this.#source.name,
        "ERR_LIMIT",
        `expected a directory of at most ${MAX_READ_BYTES} bytes but it states ${length}`,
      );
    }
    const from = Math.min(offset, this.size);
    return this.#source.read(from, Math.min(length, this.size - from), { signal: this.#signal });
  }
}

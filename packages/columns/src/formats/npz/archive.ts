import type { ByteSource } from "../../source/index.ts";
import { checkColumnCount, damaged, fault } from "../../table/index.ts";
import { contentOf } from "./content.ts";
import { type DirectoryEntry, directoryOf } from "./directory.ts";

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

/** DEFLATE turns one byte into at most 1,032. A higher ratio is a lie. */
const MAX_RATIO = 1_040;
const RATIO_SLACK_BYTES = 4_096;

const STORED = 0;
const DEFLATED = 8;
const LOCAL_HEADER = 0x0403_4b50;
/** The flag of headers whose checksum and sizes follow the data. */
const NUMBERS_LATER = 8;
/** The flags that both headers share: encryption, numbers behind the data, and the encoding of the name. */
const SAME_FLAGS = 0x809;
/** A size that is in the extra field. */
const IN_64_BITS = 0xffff_ffff;
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
  const entries: ArchiveEntry[] = [];
  const ranges: { readonly from: number; readonly to: number }[] = [];
  for await (const entry of directoryOf(source, signal)) {
    if (!entry.filename.endsWith(".npy")) continue;
    checkColumnCount(name, entries.length + 1);
    checkEntry(name, entry);
    const at = await dataOffset(source, entry, signal);
    const isStored = entry.compressionMethod === STORED;
    ranges.push({ from: at, to: at + entry.compressedSize });
    entries.push({
      name: entry.filename.slice(0, -".npy".length),
      size: entry.uncompressedSize,
      storedAt: isStored ? at : null,
      stream: (readSignal) => contentOf(source, entry, { at, isStored }, readSignal),
    });
  }
  const names = new Set(entries.map((entry) => entry.name));
  if (names.size < entries.length)
    throw damaged(name, "expected arrays of different names but two have the same one");
  // Entries that share bytes let a small archive grow without end.
  ranges.sort((a, b) => a.from - b.from);
  if (ranges.some(({ from }, i) => i > 0 && from < ranges[i - 1]!.to)) {
    throw damaged(name, "expected entries of bytes of their own but two of them share bytes");
  }
  return entries;
}

function checkEntry(
  name: string,
  { filename, compressedSize, uncompressedSize, compressionMethod, encrypted }: DirectoryEntry,
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

/**
 * Returns the offset of an entry's data, which its local header precedes.
 * @throws ERR_INPUT unless the header says the same as the directory
 */
async function dataOffset(
  source: ByteSource,
  entry: DirectoryEntry,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { filename, offset, rawName, compressedSize } = entry;
  const what = `the array ${filename.slice(0, 60)}`;
  const size = source.size!;
  const length = LOCAL_HEADER_BYTES + rawName.length;
  const header = offset + length <= size ? await source.read(offset, length, { signal }) : null;
  if (header === null || !isHeaderOf(entry, header)) {
    throw damaged(
      source.name,
      `expected the header of ${what} at byte ${offset} of the archive, as its directory has it, but found another one`,
    );
  }
  const view = new DataView(header.buffer, header.byteOffset);
  const at = offset + length + view.getUint16(28, true);
  if (at + compressedSize <= size) return at;
  throw damaged(source.name, `expected ${what} inside the archive but it ends behind it`);
}

/** Whether a local header is that of an entry (APPNOTE.TXT, 4.3.7). Its numbers may be behind the data instead, or in 64 bits. */
function isHeaderOf(entry: DirectoryEntry, header: Uint8Array): boolean {
  const view = new DataView(header.buffer, header.byteOffset);
  const flags = view.getUint16(6, true);
  const numbers = [14, 18, 22].map((at) => view.getUint32(at, true));
  const stated = [entry.crc32, entry.compressedSize, entry.uncompressedSize];
  const isLater = (flags & NUMBERS_LATER) !== 0 || numbers.every((number) => number === 0);
  return (
    view.getUint32(0, true) === LOCAL_HEADER &&
    (flags & SAME_FLAGS) === (entry.flags & SAME_FLAGS) &&
    view.getUint16(8, true) === entry.compressionMethod &&
    view.getUint16(26, true) === entry.rawName.length &&
    entry.rawName.every((byte, i) => byte === header[LOCAL_HEADER_BYTES + i]) &&
    (isLater || numbers.every((number, i) => number === stated[i] || (i > 0 && number === IN_64_BITS)))
  );
}

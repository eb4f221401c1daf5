import type { ByteSource } from "../../source/index.ts";
import { damaged, fault } from "../../table/index.ts";

/** A file of a zip archive, as its central directory states it (APPNOTE.TXT, 4.3.12). */
export interface DirectoryEntry {
  readonly filename: string;
  /** The bytes of its name. */
  readonly rawName: Uint8Array;
  readonly flags: number;
  readonly encrypted: boolean;
  readonly compressionMethod: number;
  readonly crc32: number;
  readonly compressedSize: number;
  readonly uncompressedSize: number;
  /** Offset of its local header. */
  readonly offset: number;
}

/** Bytes that one read of the archive's directory takes at most. A directory has some 100 bytes per array. */
const MAX_READ_BYTES = 67_108_864;

const END = { signature: 0x0605_4b50, bytes: 22 };
const LOCATOR = { signature: 0x0706_4b50, bytes: 20 };
const END_64 = { signature: 0x0606_4b50, bytes: 56 };
const ENTRY = { signature: 0x0201_4b50, bytes: 46 };
/** Bytes of the comment after the end record at most. */
const MAX_COMMENT_BYTES = 65_535;
/** Offsets of the numbers of disks in the end record. */
const DISKS = [4, 6];
/** Values of fields whose number is in a record of 64 bits. */
const [IN_64_OF_16, IN_64_OF_32] = [0xffff, 0xffff_ffff];
const ENCRYPTED = 1;
const UTF8 = 0x800;
const EXTRA_64 = 1;

/** Place of a directory in its archive. */
interface Directory {
  readonly offset: number;
  readonly size: number;
  readonly entries: number;
  /** Bytes before the archive, which its offsets do not count. */
  readonly before: number;
}

/**
 * Reads the central directory of a zip archive.
 * @throws ERR_INPUT if it is damaged, ERR_LIMIT if it is too large.
 */
export async function* directoryOf(
  source: ByteSource,
  signal: AbortSignal | undefined,
): AsyncGenerator<DirectoryEntry> {
  const { name } = source;
  const { offset, size, entries, before } = await directoryIn(source, signal);
  if (size > MAX_READ_BYTES) {
    throw fault(
      name,
      "ERR_LIMIT",
      `expected a directory of at most ${MAX_READ_BYTES} bytes but it states ${size}`,
    );
  }
  const view = viewOf(await source.read(offset, size, { signal }));
  let at = 0;
  for (let i = 0; i < entries; i++) {
    if (at + ENTRY.bytes > size || view.getUint32(at, true) !== ENTRY.signature)
      throw damaged(name, `expected ${entries} files in the archive's directory but found ${i}`);
    const { entry, bytes } = entryAt(name, view, at);
    yield { ...entry, offset: entry.offset + before };
    at += bytes;
  }
  if (at < size) throw damaged(name, `expected ${entries} files in the archive's directory but found more`);
}

/** Finds the directory by the record at the archive's end. */
async function directoryIn(source: ByteSource, signal: AbortSignal | undefined): Promise<Directory> {
  const { name } = source;
  const size = source.size!;
  const length = Math.min(size, END.bytes + MAX_COMMENT_BYTES);
  const view = viewOf(await source.read(size - length, length, { signal }));
  // A comment may hold the signature, so the comment must also end with the file.
  const isEnd = (at: number): boolean =>
    view.getUint32(at, true) === END.signature && at + END.bytes + view.getUint16(at + 20, true) === length;
  let at = length - END.bytes;
  while (at >= 0 && !isEnd(at)) at--;
  if (at < 0)
    throw damaged(name, "expected a zip archive but its end has no directory; it may have been cut");
  if (DISKS.some((offset) => view.getUint16(at + offset, true) !== 0))
    throw damaged(name, "expected a whole zip archive but it is one of several parts");
  const end = size - length + at;
  const stated = {
    entries: view.getUint16(at + 10, true),
    size: view.getUint32(at + 12, true),
    offset: view.getUint32(at + 16, true),
  };
  const isIn64 =
    stated.entries === IN_64_OF_16 || stated.size === IN_64_OF_32 || stated.offset === IN_64_OF_32;
  const found = isIn64 ? await directoryIn64(source, end, signal) : null;
  const { directory, last } = found ?? { directory: stated, last: end };
  const before = last - directory.size - directory.offset;
  if (before < 0) throw damaged(name, "expected a directory before its end but it states more bytes");
  return { ...directory, offset: directory.offset + before, before };
}

/** Reads the end record of 64 bits. Null if there is none, and the fields of the other one hold. */
async function directoryIn64(source: ByteSource, end: number, signal: AbortSignal | undefined) {
  if (end < LOCATOR.bytes) return null;
  const locator = viewOf(await source.read(end - LOCATOR.bytes, LOCATOR.bytes, { signal }));
  if (locator.getUint32(0, true) !== LOCATOR.signature) return null;
  // Its locator follows it, whatever precedes the archive.
  const last = end - LOCATOR.bytes - END_64.bytes;
  const view = last < 0 ? null : viewOf(await source.read(last, END_64.bytes, { signal }));
  if (view === null || view.getUint32(0, true) !== END_64.signature)
    throw damaged(source.name, "expected the end record of a zip archive of 64 bits but found none");
  const directory = {
    entries: wholeAt(source.name, view, 32),
    size: wholeAt(source.name, view, 40),
    offset: wholeAt(source.name, view, 48),
  };
  return { directory, last };
}

function entryAt(
  name: string,
  view: DataView,
  at: number,
): { readonly entry: DirectoryEntry; readonly bytes: number } {
  const u16 = (offset: number): number => view.getUint16(at + offset, true);
  const u32 = (offset: number): number => view.getUint32(at + offset, true);
  const [nameBytes, extraBytes, commentBytes] = [u16(28), u16(30), u16(32)];
  const bytes = ENTRY.bytes + nameBytes + extraBytes + commentBytes;
  if (at + bytes > view.byteLength)
    throw damaged(name, "expected a whole entry in the archive's directory but it ends before");
  const text = new Uint8Array(view.buffer, view.byteOffset + at + ENTRY.bytes, nameBytes);
  const stated = { uncompressedSize: u32(24), compressedSize: u32(20), offset: u32(42) };
  const flags = u16(8);
  const entry = {
    filename: new TextDecoder((flags & UTF8) === 0 ? "latin1" : "utf-8").decode(text),
    rawName: text,
    flags,
    encrypted: (flags & ENCRYPTED) !== 0,
    compressionMethod: u16(10),
    crc32: u32(16),
    ...in64(name, view, { at: at + ENTRY.bytes + nameBytes, bytes: extraBytes }, stated),
  };
  return { entry, bytes };
}

/** The fields of an entry that may have 64 bits, in the order of the extra field. */
type Wide = Pick<DirectoryEntry, "uncompressedSize" | "compressedSize" | "offset">;

/** Returns the fields with the numbers that the extra field has of them. */
function in64(
  name: string,
  view: DataView,
  { at, bytes }: { readonly at: number; readonly bytes: number },
  stated: Wide,
): Wide {
  const wide = { ...stated };
  const missing = (["uncompressedSize", "compressedSize", "offset"] as const).filter(
    (field) => stated[field] === IN_64_OF_32,
  );
  if (missing.length === 0) return wide;
  for (let i = 0; i + 4 <= bytes; ) {
    const length = view.getUint16(at + i + 2, true);
    if (view.getUint16(at + i, true) === EXTRA_64) {
      for (const [k, field] of missing.entries()) {
        if (8 * (k + 1) > length || i + 4 + 8 * (k + 1) > bytes)
          throw damaged(name, `expected 64 bits for the ${field} of a file in the archive but found none`);
        wide[field] = wholeAt(name, view, at + i + 4 + 8 * k);
      }
      return wide;
    }
    i += 4 + length;
  }
  return wide;
}

/** @throws ERR_INPUT for a number that no archive reaches */
function wholeAt(name: string, view: DataView, at: number): number {
  const value = Number(view.getBigUint64(at, true));
  if (Number.isSafeInteger(value)) return value;
  throw damaged(
    name,
    `expected a size or an offset below 2^53 in the archive's directory but found ${value}`,
  );
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

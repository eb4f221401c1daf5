import type { ByteSource } from "../../../source/index.ts";
import { damaged, fault } from "../../../table/index.ts";
import { countOf, MAX_RECORD_BYTES, RecordEnds, type RecordLayout } from "./records.ts";

/** The bytes of a part, which are whole records. */
export interface Piece {
  readonly part: number;
  /** Offset of the first byte in the file. */
  readonly offset: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Lines of the file before the piece, or null if nobody counted them. */
  readonly linesBefore: number | null;
}

/** Returns the number of parts of a file. */
export const partsOf = (size: number, { partBytes }: RecordLayout): number =>
  Math.max(1, Math.ceil(size / partBytes));

/**
 * Reads a file from start to end and cuts it into parts. Newlines between quotation marks end no record.
 * @throws ERR_INPUT if a quotation mark is not closed, ERR_LIMIT if a record is too long.
 */
export async function* piecesOf(
  source: ByteSource,
  layout: RecordLayout & { readonly skipsBadRows: boolean },
  signal: AbortSignal | undefined,
): AsyncGenerator<Piece> {
  const { start, newline, partBytes } = layout;
  const ends = new RecordEnds(layout);
  /** Whether lines must be counted now, because the file cannot be read again. */
  const counts = !source.seekable;
  let lines = 0;
  let part = 0;
  let offset = 0;
  let at = 0;
  let parts: Uint8Array[] = [];
  const piece = (end: number): Piece => {
    const bytes = new Uint8Array(end - offset);
    let filled = 0;
    for (const each of parts) {
      bytes.set(each, filled);
      filled += each.length;
    }
    const done = { part, offset, bytes, linesBefore: counts ? lines : null };
    if (counts) lines += countOf(bytes, newline);
    parts = [];
    offset = end;
    return done;
  };
  for await (const read of source.stream({ signal })) {
    let rest = read;
    if (at < start) {
      const skipped = rest.subarray(0, start - at);
      if (counts) lines += countOf(skipped, newline);
      at += skipped.length;
      rest = rest.subarray(skipped.length);
      offset = at;
    }
    while (rest.length > 0) {
      // The part ends with the first record that ends at or after this offset.
      const nominal = (part + 1) * partBytes;
      const before = Math.max(0, Math.min(rest.length, nominal - 1 - at));
      if (before > 0) {
        const passed = rest.subarray(0, before);
        ends.skip(passed);
        parts.push(passed);
        at += before;
        rest = rest.subarray(before);
        continue;
      }
      // Records that are longer than a part leave parts without a record.
      if (offset >= nominal) {
        part++;
        continue;
      }
      const end = ends.next(rest);
      const taken = rest.subarray(0, end < 0 ? rest.length : end);
      parts.push(taken);
      at += taken.length;
      rest = rest.subarray(taken.length);
      if (end >= 0) {
        yield piece(at);
        part++;
      } else if (at - nominal > MAX_RECORD_BYTES) throw tooLong(source, nominal, ends.isQuoted);
    }
  }
  // Decoding the last piece names the line.
  if (at > offset) yield piece(at);
  if (ends.isQuoted && !layout.skipsBadRows) throw notClosed(source.name);
}

/**
 * Reads one part of a file, without what lies before it. It takes every newline for the end of a record.
 * @throws ERR_INPUT if a newline between quotation marks lies where the part starts or ends.
 */
export async function pieceOf(
  source: ByteSource,
  layout: RecordLayout,
  part: number,
  signal: AbortSignal | undefined,
): Promise<Piece> {
  const { start, partBytes, newline } = layout;
  const { quote } = layout.marks;
  const size = source.size!;
  const first = part * partBytes;
  const last = Math.min(size, first + partBytes);
  // A record starts in the part if the newline before it lies at the part's first offset less one, or later.
  const from = first <= start ? start : first - 1;
  const none: Piece = { part, offset: from, bytes: new Uint8Array(0), linesBefore: null };
  if (from >= last && last < size) return none;
  if (from >= size) return none;
  let read = await source.read(from, Math.max(0, last - from), { signal });
  const begin = first <= start ? 0 : read.indexOf(newline) + 1;
  if (begin === 0 && first > start) return none;
  const offset = from + begin;
  if (offset >= last && last < size) return none;
  if (last < size && read[read.length - 1] !== newline) {
    const tail = await tailOf(source, last, newline, signal);
    const whole = new Uint8Array(read.length + tail.length);
    whole.set(read);
    whole.set(tail, read.length);
    read = whole;
  }
  const bytes = read.slice(begin);
  if (quote !== null && countOf(bytes, quote) % 2 === 1) {
    if (part === 0 && last === size) throw notClosed(source.name);
    throw damaged(
      source.name,
      `expected part ${part} (bytes ${offset} to ${offset + bytes.length}) to start and end between records, but it cuts through quotation marks; ` +
        "read all parts at once, open it with quotedNewlines: true, or pass quote: null if quotation marks have no meaning",
    );
  }
  return { part, offset, bytes, linesBefore: null };
}

/** Bytes that are read at first to find the end of a part's last record. */
const TAIL_BYTES = 65_536;

/** Reads from an offset up to the first newline, or to the end of the file. */
async function tailOf(
  source: ByteSource,
  offset: number,
  newline: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const size = source.size!;
  for (let length = TAIL_BYTES; ; length *= 4) {
    const bytes = await source.read(offset, Math.min(length, size - offset), { signal });
    const end = bytes.indexOf(newline) + 1;
    if (end > 0) return bytes.subarray(0, end);
    if (offset + length >= size) return bytes;
    if (length > MAX_RECORD_BYTES) throw tooLong(source, offset, false);
  }
}

/** Counts the lines before an offset. */
export async function linesBefore(
  source: ByteSource,
  offset: number,
  newline: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let lines = 0;
  let at = 0;
  for await (const bytes of source.stream({ signal })) {
    lines += countOf(bytes.subarray(0, offset - at), newline);
    at += bytes.length;
    if (at >= offset) break;
  }
  return lines;
}

const notClosed = (name: string): Error =>
  damaged(
    name,
    "expected an even number of quotation marks but the last one is not closed; pass quote: null if quotation marks have no meaning",
  );

function tooLong({ name }: ByteSource, offset: number, isQuoted: boolean): Error {
  const helps = isQuoted
    ? "; a quotation mark before it may not be closed: pass quote: null if quotation marks have no meaning"
    : "";
  return fault(
    name,
    "ERR_LIMIT",
    `expected records of at most ${MAX_RECORD_BYTES} bytes but found no end of one after offset ${offset}${helps}`,
  );
}

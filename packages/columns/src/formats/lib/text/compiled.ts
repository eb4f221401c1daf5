import type { TextColumn, TextFound, TextPartReader, TextReader, TextValues } from "@polybin/native/readers";
import type { Decoded } from "../../../pool/index.ts";
import type { Chunk, CountsChunk, LogicalType, ValuesChunk } from "../../../table/index.ts";
import { type Builder, builderOf, memoryOf, textChunk, valuesIn } from "../values/index.ts";
import type { Encoding } from "./sample.ts";
import type { Compiled, TextAnswer } from "./table.ts";

/** How a read is shared by threads. */
export interface Sharing {
  /** Offset of the first record. */
  readonly start: number;
  readonly partBytes: number;
  /** 0: the calling thread decodes. */
  readonly threads: number;
}

/** The calling thread decodes whole records, which are no part of a file. */
export const HERE: Sharing = { start: 0, partBytes: 1, threads: 0 };

/** A column that is read, with its place among all. */
export interface Read {
  readonly index: number;
  readonly name: string;
  readonly type: LogicalType;
  /** Whether equal values may be counted. Default: false. */
  readonly isCounted?: boolean;
}

/** The differences between formats in what compiled code leaves. */
export interface Left<R extends Read> {
  readonly encoding: Encoding;
  readonly columns: readonly R[];
  /** Adds a text of a column, as it is in the file, to a builder. Returns false if the text does not fit the type. */
  add(column: R, text: string, builder: Builder): boolean;
}

/** Returns a decoder that passes a request to a compiled reader. */
export function compiledBy<Request, R extends Read>(
  reader: TextReader<Request> | TextPartReader<Request>,
  request: Request,
  left: Left<R>,
  { start, partBytes }: Sharing,
): Compiled {
  const decode: Compiled["decode"] = async (bytes) => answerOf(left, await reader.read(bytes, request));
  if (!("readPart" in reader)) return { decode, decodePart: null };
  return {
    decode,
    async decodePart(descriptor, size, part) {
      const place = { descriptor, start, size, partBytes, part };
      const [offset, bytes, isCut, found] = await reader.readPart(place, request);
      return { offset, bytes, isCut, answer: answerOf(left, found) };
    },
  };
}

/** Decodes a piece on a thread of a pool. Returns null if there is no compiled reader, or it does not read the piece. */
export async function decodedBy(
  compiled: Compiled | null,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Decoded<TextAnswer> | null> {
  const value = compiled === null ? null : await compiled.decode(bytes);
  if (value === null || "fault" in value) return null;
  return { value, transfer: memoryOf(value.columns) };
}

/** How the readers store a column, or null if they do not. */
export function storedOf({ index, type, isCounted: counted = false }: Read): TextColumn | null {
  switch (type.kind) {
    case "number":
      return type.type === "f16" ? null : { index, stored: type.type, counted };
    case "boolean":
      return { index, stored: "boolean", counted };
    case "date":
      return { index, stored: "date", counted };
    case "timestamp":
      return { index, stored: "time", digits: DIGITS[type.unit], zone: type.timezone !== null, counted };
    case "string":
      return { index, stored: "text", counted };
    default:
      return null;
  }
}

const DIGITS = { s: 0, ms: 3, us: 6, ns: 9 } as const;

function answerOf<R extends Read>(left: Left<R>, found: TextFound): TextAnswer | null {
  if (found === null) return null;
  const [rows, ...own] = found;
  const columns: (Chunk | CountsChunk)[] = [];
  for (const [i, column] of own.entries()) {
    const chunk = chunkOf(left, left.columns[i]!, rows, column);
    if (chunk === null) return null;
    columns.push(chunk);
  }
  return { rows, columns };
}

/** Makes the chunk of a column, and adds the values that the reader left. Returns null if one of them does not fit. */
function chunkOf<R extends Read>(
  left: Left<R>,
  column: R,
  rows: number,
  [memory, nulls, valid, unread, texts, counted]: TextValues,
): Chunk | CountsChunk | null {
  const { name, type } = column;
  if (counted !== null) {
    const values =
      type.kind === "string"
        ? textsOf(texts, new Uint32Array(unread), left.encoding)
        : valuesIn(type, memory);
    return { name, rows, nulls, values, counts: new Uint32Array(counted) };
  }
  const validity = valid === null ? null : { bits: new Uint8Array(valid) };
  if (type.kind === "string") {
    const dictionary = textsOf(texts, new Uint32Array(unread), left.encoding);
    return textChunk({ name, rows, nulls, validity, codes: new Uint32Array(memory), dictionary });
  }
  const values = valuesIn(type, memory);
  const chunk: ValuesChunk = { name, rows, nulls, validity, values };
  if (unread.byteLength === 0) return chunk;
  return addLeft(chunk, { places: new Uint32Array(unread), texts: new Uint8Array(texts) }, left, column);
}

/** Returns texts that lie one after another. */
function textsOf(bytes: ArrayBuffer, ends: Uint32Array, encoding: Encoding): string[] {
  // Node's buffers decode short texts in less time. A page has none.
  const buffer = encoding === "utf-8" && typeof Buffer !== "undefined" ? Buffer.from(bytes) : null;
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  let from = 0;
  return Array.from(ends, (end) => {
    const start = from;
    from = end;
    return buffer?.toString("utf8", start, end) ?? decoder.decode(new Uint8Array(bytes, start, end - start));
  });
}

/** Texts that the reader left: the row of each, and where it ends. */
interface Unread {
  readonly places: Uint32Array;
  readonly texts: Uint8Array;
}

/** Returns null if one of the texts does not fit. */
function addLeft<R extends Read>(
  chunk: ValuesChunk,
  { places, texts }: Unread,
  left: Left<R>,
  column: R,
): ValuesChunk | null {
  const { name, rows, values } = chunk;
  const decoder = new TextDecoder(left.encoding, { ignoreBOM: true });
  const builder = builderOf(name, column.type);
  let from = 0;
  for (let i = 1; i < places.length; i += 2) {
    const end = places[i]!;
    if (!left.add(column, decoder.decode(texts.subarray(from, end)), builder)) return null;
    from = end;
  }
  const added = builder.finish() as ValuesChunk;
  let bits = chunk.validity?.bits ?? null;
  for (let i = 0; i < added.rows; i++) {
    const row = places[2 * i]!;
    (values as { [row: number]: unknown })[row] = added.values[i];
    if (added.validity === null || added.validity.bits[i >> 3]! & (1 << (i & 7))) continue;
    bits ??= allValid(rows);
    bits[row >> 3]! &= ~(1 << (row & 7));
  }
  return {
    ...{ name, rows, nulls: chunk.nulls + added.nulls, values },
    validity: bits === null ? null : { bits },
  };
}

/** One bit per row. Bits after the last row are 0. */
function allValid(rows: number): Uint8Array {
  const bits = new Uint8Array((rows + 7) >> 3).fill(0xff);
  if (rows & 7) bits[bits.length - 1] = (1 << (rows & 7)) - 1;
  return bits;
}

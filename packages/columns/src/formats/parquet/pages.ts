import { Encodings, PageTypes } from "hyparquet/src/constants.js";
import { deserializeTCompactProtocol } from "hyparquet/src/thrift.js";
import { MAX_HEADER_BYTES, MAX_PAGE_BYTES, MAX_PAGE_ROWS } from "./limits.ts";
import { Incomplete, survey } from "./survey.ts";
import type { PageTask } from "./task.ts";

/** Structures of a page's header, with statistics. */
const MAX_HEADER_NODES = 256;

/** Thrown for a page that may be whole, but exceeds a limit. */
export class OverLimit extends Error {}

/** A page in the file: its position, and its header. */
export interface Page {
  /** Bytes of the header, before the body. */
  readonly headerBytes: number;
  readonly bodyBytes: number;
  readonly task: Omit<PageTask, "start" | "end"> | null;
}

/**
 * Reads the header of a page of at most `maxRows` rows at the start of `bytes`. Its `task` is null for pages without values, such as indices. Returns
 * null if more bytes are needed.
 * @throws Error if the header is damaged, OverLimit if the page exceeds a limit.
 */
export function pageAt(bytes: Uint8Array, maxRows: number = MAX_PAGE_ROWS): Page | null {
  let headerBytes: number;
  try {
    headerBytes = survey(bytes.subarray(0, MAX_HEADER_BYTES), 0, MAX_HEADER_NODES);
  } catch (error) {
    if (error instanceof Incomplete && bytes.length < MAX_HEADER_BYTES) return null;
    throw error;
  }
  const header: Header = deserializeTCompactProtocol({
    view: new DataView(bytes.buffer, bytes.byteOffset, headerBytes),
    offset: 0,
  });
  const bodyBytes = checked("compressed bytes", header.field_3, MAX_PAGE_BYTES);
  const size = checked("bytes", header.field_2, MAX_PAGE_BYTES);
  return { headerBytes, bodyBytes, task: taskOf(header, bodyBytes, size, maxRows) };
}

function checked(what: string, value: unknown, most: number): number {
  if (!Number.isInteger(value) || (value as number) < 0)
    throw new Error(`a page states ${value ?? "no"} ${what}`);
  if ((value as number) > most)
    throw new OverLimit(`a page states ${value} ${what}, and the limit is ${most}`);
  return value as number;
}

/** A structure of Thrift, whose fields have numbers. A damaged file has any values there. */
type Fields = Readonly<Record<`field_${number}`, unknown>>;

/**
 * A page's header: its type, the sizes of its body after and before compression, a checksum, and what pages of its type
 * state. https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
 */
interface Header extends Fields {
  readonly field_1?: number;
  readonly field_4?: number;
  /** Pages of values, of a dictionary, and of values in the second version. */
  readonly field_5?: Fields;
  readonly field_7?: Fields;
  readonly field_8?: Fields;
}

const nameOf = (encoding: unknown): string => Encodings[encoding as number] ?? "without a name";

function taskOf(header: Header, bodyBytes: number, size: number, maxRows: number): Page["task"] {
  const base = {
    size,
    levels: 0,
    repetition: 0,
    nulls: 0,
    compressed: true,
    levelEncoding: "RLE",
    crc: header.field_4 ?? null,
  };
  switch (PageTypes[header.field_1!]) {
    case "DICTIONARY_PAGE": {
      const stated = header.field_7;
      if (stated === undefined) break;
      const values = checked("values", stated.field_1, maxRows);
      return { ...base, kind: "dictionary", values, encoding: "PLAIN" };
    }
    case "DATA_PAGE": {
      const stated = header.field_5;
      if (stated === undefined) break;
      const values = checked("values", stated.field_1, maxRows);
      const [encoding, levelEncoding] = [nameOf(stated.field_2), nameOf(stated.field_3)];
      return { ...base, kind: "v1", values, encoding, levelEncoding };
    }
    case "DATA_PAGE_V2": {
      const stated = header.field_8;
      if (stated === undefined) break;
      const values = checked("values", stated.field_1, maxRows);
      const nulls = checked("nulls", stated.field_2, values);
      const most = Math.min(bodyBytes, size);
      const repetition = checked("bytes of levels", stated.field_6, most);
      const levels = checked("bytes of levels", stated.field_5, most - repetition) + repetition;
      const [encoding, compressed] = [nameOf(stated.field_4), stated.field_7 !== false];
      return { ...base, kind: "v2", values, encoding, levels, repetition, nulls, compressed };
    }
    case "INDEX_PAGE":
      return null;
  }
  throw new Error("the header of a page is damaged");
}

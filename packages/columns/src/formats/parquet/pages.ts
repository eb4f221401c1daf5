import type { PageHeader } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
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
  const header = parquetHeader({
    view: new DataView(bytes.buffer, bytes.byteOffset, headerBytes),
    offset: 0,
  });
  const bodyBytes = checked("compressed bytes", header.compressed_page_size, MAX_PAGE_BYTES);
  const size = checked("bytes", header.uncompressed_page_size, MAX_PAGE_BYTES);
  return { headerBytes, bodyBytes, task: taskOf(header, bodyBytes, size, maxRows) };
}

function checked(what: string, value: unknown, most: number): number {
  if (!Number.isInteger(value) || (value as number) < 0)
    throw new Error(`a page states ${value ?? "no"} ${what}`);
  if ((value as number) > most)
    throw new OverLimit(`a page states ${value} ${what}, and the limit is ${most}`);
  return value as number;
}

/** The name of an encoding. hyparquet has none for a number that it does not know, whatever its types say. */
const nameOf = (encoding: string | undefined): string => encoding ?? "without a name";

function taskOf(header: PageHeader, bodyBytes: number, size: number, maxRows: number): Page["task"] {
  const base = {
    size,
    levels: 0,
    repetition: 0,
    nulls: 0,
    compressed: true,
    levelEncoding: "RLE",
    crc: header.crc ?? null,
  };
  switch (header.type) {
    case "DICTIONARY_PAGE": {
      const stated = header.dictionary_page_header;
      if (stated === undefined) break;
      const values = checked("values", stated.num_values, maxRows);
      return { ...base, kind: "dictionary", values, encoding: "PLAIN" };
    }
    case "DATA_PAGE": {
      const stated = header.data_page_header;
      if (stated === undefined) break;
      const values = checked("values", stated.num_values, maxRows);
      return {
        ...base,
        kind: "v1",
        values,
        encoding: nameOf(stated.encoding),
        levelEncoding: nameOf(stated.definition_level_encoding),
      };
    }
    case "DATA_PAGE_V2": {
      const stated = header.data_page_header_v2;
      if (stated === undefined) break;
      const values = checked("values", stated.num_values, maxRows);
      const nulls = checked("nulls", stated.num_nulls, values);
      const most = Math.min(bodyBytes, size);
      const repetition = checked("bytes of levels", stated.repetition_levels_byte_length, most);
      const levels =
        checked("bytes of levels", stated.definition_levels_byte_length, most - repetition) + repetition;
      return {
        ...base,
        kind: "v2",
        values,
        encoding: nameOf(stated.encoding),
        levels,
        repetition,
        nulls,
        compressed: stated.is_compressed !== false,
      };
    }
    case "INDEX_PAGE":
      return null;
  }
  throw new Error("the header of a page is damaged");
}

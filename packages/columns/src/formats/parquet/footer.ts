import type { ColumnChunk, FileMetaData, SchemaElement } from "hyparquet";
import { parquetMetadata } from "hyparquet/src/metadata.js";
import type { ByteSource } from "../../source/index.ts";
import { becauseOf, checkColumnCount, damaged, fault } from "../../table/index.ts";
import { type Place, type StatedGroup, StatedGroups } from "./groups.ts";
import { MAX_FOOTER_BYTES, MAX_FOOTER_NODES, MAX_SCHEMA_ELEMENTS } from "./limits.ts";
import { schemaElements, survey } from "./survey.ts";

/** Bytes after the metadata: their length, and the magic number. */
const TAIL_BYTES = 8;
/** Bytes at the end of a file that are read first. Most metadata fit. */
const FIRST_BYTES = 65_536;
/** Bytes of metadata that show the number of columns. */
const SCHEMA_HEAD_BYTES = 32;

/** Values of statistics stay as they are stored: integers, and bytes of strings. */
const RAW = {
  timestampFromMilliseconds: (value: bigint) => value,
  timestampFromMicroseconds: (value: bigint) => value,
  timestampFromNanoseconds: (value: bigint) => value,
  dateFromDays: (value: number) => value,
  stringFromBytes: (bytes: Uint8Array) => bytes,
  jsonFromBytes: (bytes: Uint8Array) => bytes,
  geometryFromBytes: (bytes: Uint8Array) => bytes,
  geographyFromBytes: (bytes: Uint8Array) => bytes,
  uuidFromBytes: (bytes: Uint8Array) => bytes,
} as never;

/** An empty list of structures, and a list of one. */
const NONE = [0x0c];
const ONE = 0x1c;
/** A file's metadata up to the second element of its schema, whose first one is its root. */
const HEAD = [0x15, 0x00, 0x19, 0x2c, 0x48, 0x01, 0x72, 0x15, 0x02, 0x00];
/** The rest up to a column chunk: no rows, one row group, one chunk. And what follows it. */
const UP_TO_CHUNK = [0x16, 0x00, 0x19, ONE, 0x19, ONE];
const TAIL = [0x16, 0x00, 0x16, 0x00, 0x00, 0x00];

/** A file's metadata. The metadata of a column chunk are parsed when they are needed. */
export class Footer {
  readonly schema: readonly SchemaElement[];
  readonly rows: bigint;
  readonly groups: readonly StatedGroup[];
  readonly #bytes: Uint8Array;
  readonly #elements: readonly Place[];

  /** @throws Error if the metadata are damaged */
  constructor(bytes: Uint8Array) {
    const stated = new StatedGroups();
    survey(bytes, 0, MAX_FOOTER_NODES, stated);
    const { from, to } = stated.list ?? { from: bytes.length, to: bytes.length };
    const { schema, num_rows } = parsed([
      bytes.subarray(0, from),
      ...(stated.list === null ? [] : [NONE]),
      bytes.subarray(to),
    ]);
    this.#bytes = bytes;
    this.#elements = stated.elements;
    this.schema = schema;
    this.rows = num_rows;
    this.groups = stated.groups;
  }

  /**
   * Parses the metadata of a column chunk. Undefined: there is no such chunk.
   * @param element the element of the schema that the chunk has the values of
   */
  chunk(group: number, chunk: number, element: number): ColumnChunk | undefined {
    const place = this.groups[group]!.chunks[chunk];
    if (place === undefined) return undefined;
    const of = ({ from, to }: Place) => this.#bytes.subarray(from, to);
    const { row_groups } = parsed([HEAD, of(this.#elements[element]!), UP_TO_CHUNK, of(place), TAIL]);
    return row_groups[0]!.columns[0];
  }
}

/** Parses metadata in parts, which follow one another. */
function parsed(parts: readonly ArrayLike<number>[]): FileMetaData {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(length + TAIL_BYTES);
  let filled = 0;
  for (const part of parts) {
    bytes.set(part, filled);
    filled += part.length;
  }
  new DataView(bytes.buffer).setUint32(length, length, true);
  bytes.set(MAGIC, length + 4);
  return parquetMetadata(bytes, { parsers: RAW, geoparquet: false });
}

const MAGIC = [..."PAR1"].map((sign) => sign.charCodeAt(0));

/**
 * Reads a file's metadata from its end.
 * @throws ERR_INPUT if they are damaged, ERR_LIMIT if they are too large, ERR_UNSUPPORTED if they are encrypted.
 */
export async function readFooter(source: ByteSource, signal: AbortSignal | undefined): Promise<Footer> {
  const { name } = source;
  const size = source.size!;
  if (size < 4 + TAIL_BYTES)
    throw damaged(name, `expected a Parquet file but received ${size} bytes, which are too few`);
  const first = Math.min(size, FIRST_BYTES);
  const end = await source.read(size - first, first, { signal });
  const tail = end.subarray(first - TAIL_BYTES);
  const magic = String.fromCharCode(...tail.subarray(4));
  if (magic === "PARE") throw fault(name, "ERR_UNSUPPORTED", "its metadata are encrypted");
  if (magic !== "PAR1") {
    throw damaged(
      name,
      "expected a Parquet file to end with PAR1 but it does not: it is truncated, or still being written",
    );
  }
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true);
  if (length > size - 4 - TAIL_BYTES) {
    throw damaged(
      name,
      `expected at most ${size - 4 - TAIL_BYTES} bytes of metadata but its end states ${length}`,
    );
  }
  await checkSize(source, length, signal);
  const footer =
    length + TAIL_BYTES <= first
      ? end.slice(first - TAIL_BYTES - length, first - TAIL_BYTES)
      : await source.read(size - TAIL_BYTES - length, length, { signal });
  try {
    return new Footer(footer);
  } catch (error) {
    throw damaged(name, `its metadata are damaged${becauseOf(error)}`, error);
  }
}

/** Refuses too many columns before their metadata are read. */
async function checkSize(source: ByteSource, length: number, signal: AbortSignal | undefined): Promise<void> {
  const at = source.size! - TAIL_BYTES - length;
  const head = await source.read(at, Math.min(length, SCHEMA_HEAD_BYTES), { signal });
  const elements = schemaElements(head);
  // The root is an element, too.
  if (elements !== null && elements > MAX_SCHEMA_ELEMENTS) checkColumnCount(source.name, elements - 1);
  if (length > MAX_FOOTER_BYTES) {
    throw fault(
      source.name,
      "ERR_LIMIT",
      `expected at most ${MAX_FOOTER_BYTES} bytes of metadata but received ${length}; a file with fewer columns or row groups has fewer`,
    );
  }
}

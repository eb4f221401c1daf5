import type { FileMetaData } from "hyparquet";
import { parquetMetadata } from "hyparquet/src/metadata.js";
import type { ByteSource } from "../../source/index.ts";
import { becauseOf, checkColumnCount, damaged, fault } from "../../table/index.ts";
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

/**
 * Reads a file's metadata from its end.
 * @throws ERR_INPUT if they are damaged, ERR_LIMIT if they are too large, ERR_UNSUPPORTED if they are encrypted.
 */
export async function readFooter(source: ByteSource, signal: AbortSignal | undefined): Promise<FileMetaData> {
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
      ? end.slice(first - TAIL_BYTES - length)
      : await source.read(size - TAIL_BYTES - length, length + TAIL_BYTES, { signal });
  try {
    survey(footer.subarray(0, length), 0, MAX_FOOTER_NODES);
    return parquetMetadata(footer, { parsers: RAW, geoparquet: false });
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

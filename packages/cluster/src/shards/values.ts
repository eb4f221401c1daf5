import {
  type Batch,
  type ByteSource,
  openSource,
  type Part,
  type ReadOptions,
  type SourceOptions,
  type Table,
} from "@polybin/columns";
import { PolybinError, type SampleType } from "@polybin/core";
import { arrayOver, checkNames, expected, SAMPLE_TRAITS, SAMPLE_TYPES } from "@polybin/core/backend";

/** The name of files that are nothing but values, little-endian. No reader of columns has this name. */
export const VALUES_FORMAT = "values";
/** The name of their only column. */
export const VALUES_COLUMN = "values";
/** Bytes of a part, a multiple of every sample. */
const PART_BYTES = 8_388_608;

/** Looks at the start of a file before its values are read. */
export interface HeadCheck {
  readonly bytes: number;
  /** Throws for a file whose first bytes or name show that its bytes are not its values. */
  check(head: Uint8Array, location: string): void;
}

/**
 * Opens a file of plain little-endian values as a table of one column. A stream has no parts.
 * @param read `{ type }`, the type of the values
 * @param head looks at the first bytes. A stream still yields them afterwards
 */
export async function openValues(
  location: string,
  read: Readonly<Record<string, unknown>>,
  options: SourceOptions,
  head?: HeadCheck,
): Promise<Table> {
  checkNames(read, ["type"], { of: "the options of values" });
  const type = (read.type ?? "u8") as SampleType;
  if (!SAMPLE_TYPES.includes(type))
    throw expected("ERR_INPUT", "type", `one of ${SAMPLE_TYPES.join(", ")}`, type);
  const source = await openSource(location, options);
  try {
    if (head !== undefined) head.check(await source.peek(head.bytes, { signal: options.signal }), location);
    if (source.size !== null) checkWhole(source, source.size, type);
  } catch (error) {
    await source.close();
    throw error;
  }
  const { name, size } = source;
  const { bytes: each } = SAMPLE_TRAITS[type];
  const batchOf = (bytes: Uint8Array, part: number | null): Batch => {
    const rows = bytes.length / each;
    const values = arrayOver(type, bytes);
    return { rows, part, columns: [{ name: VALUES_COLUMN, rows, nulls: 0, validity: null, values }] };
  };
  const parts = size === null ? null : partsOf(size, each);
  async function* read_({ parts: wanted, signal, onProgress }: ReadOptions = {}): AsyncGenerator<Batch> {
    let done = 0;
    const told = (batch: Batch): Batch => {
      done += batch.rows;
      onProgress?.({
        rows: done,
        totalRows: size === null ? null : size / each,
        bytes: done * each,
        totalBytes: size,
      });
      return batch;
    };
    if (parts === null) {
      for await (const bytes of wholeSamples(source, type, signal)) yield told(batchOf(bytes, null));
      return;
    }
    for (const index of wanted ?? parts.keys()) {
      const bytes = await source.read(index * PART_BYTES, parts[index]!.bytes, { signal });
      yield told(batchOf(bytes, index));
    }
  }
  const close = (): Promise<void> => source.close();
  return {
    format: VALUES_FORMAT,
    name,
    rows: size === null ? null : size / each,
    columns: [{ name: VALUES_COLUMN, type: { kind: "number", type }, nullable: false }],
    parts,
    read: read_,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @throws ERR_INPUT unless the bytes are whole samples */
function checkWhole({ name }: ByteSource, size: number, type: SampleType): void {
  const { bytes: each } = SAMPLE_TRAITS[type];
  if (size % each === 0) return;
  throw new PolybinError(
    "ERR_INPUT",
    `expected a whole number of ${type} samples, ${each} bytes each, but ${name} has ${size} bytes`,
  );
}

function partsOf(size: number, each: number): Part[] {
  return Array.from({ length: Math.ceil(size / PART_BYTES) }, (_, index) => {
    const bytes = Math.min(PART_BYTES, size - index * PART_BYTES);
    return { index, rows: bytes / each, bytes, statistics: () => null };
  });
}

/** Yields the bytes of a stream as whole samples, in memory of their own. @throws ERR_INPUT if the last one is cut */
async function* wholeSamples(
  source: ByteSource,
  type: SampleType,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const { bytes: each } = SAMPLE_TRAITS[type];
  let rest = new Uint8Array(0);
  let size = 0;
  for await (const piece of source.stream({ signal })) {
    size += piece.length;
    const all = new Uint8Array(rest.length + piece.length);
    all.set(rest);
    all.set(piece, rest.length);
    const end = all.length - (all.length % each);
    rest = all.slice(end);
    if (end > 0) yield all.subarray(0, end);
  }
  checkWhole(source, size, type);
}

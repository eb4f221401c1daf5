import {
  type Batch,
  type ColumnInfo,
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

/**
 * Opens a file of plain little-endian values as a table of one column.
 * @param read `{ type }`, the type of the values
 */
export async function openValues(
  location: string,
  read: Readonly<Record<string, unknown>>,
  options: SourceOptions,
): Promise<Table> {
  checkNames(read, ["type"], { of: "the options of values" });
  const type = (read.type ?? "u8") as SampleType;
  if (!SAMPLE_TYPES.includes(type))
    throw expected("ERR_INPUT", "type", `one of ${SAMPLE_TYPES.join(", ")}`, type);
  const source = await openSource(location, options);
  const { bytes: each } = SAMPLE_TRAITS[type];
  const { size, name } = source;
  try {
    if (size === null || !source.seekable) {
      throw new PolybinError(
        "ERR_UNSUPPORTED",
        `expected a file that can be read in parts but ${name} is a stream`,
      );
    }
    if (size % each !== 0) {
      throw new PolybinError(
        "ERR_INPUT",
        `expected a whole number of ${type} samples, ${each} bytes each, but ${name} has ${size} bytes`,
      );
    }
  } catch (error) {
    await source.close();
    throw error;
  }
  const parts = Array.from({ length: Math.ceil(size / PART_BYTES) }, (_, index): Part => {
    const bytes = Math.min(PART_BYTES, size - index * PART_BYTES);
    return { index, rows: bytes / each, bytes, statistics: () => null };
  });
  const columns: readonly ColumnInfo[] = [
    { name: VALUES_COLUMN, type: { kind: "number", type }, nullable: false },
  ];
  async function* read_({ parts: wanted, signal }: ReadOptions = {}): AsyncGenerator<Batch> {
    for (const index of wanted ?? parts.keys()) {
      const { rows, bytes } = parts[index]!;
      const samples = await source.read(index * PART_BYTES, bytes, { signal });
      const values = arrayOver(type, samples);
      yield {
        rows: rows!,
        part: index,
        columns: [{ name: VALUES_COLUMN, rows: rows!, nulls: 0, validity: null, values }],
      };
    }
  }
  const close = (): Promise<void> => source.close();
  return {
    format: VALUES_FORMAT,
    name,
    rows: size / each,
    columns,
    parts,
    read: read_,
    close,
    [Symbol.asyncDispose]: close,
  };
}

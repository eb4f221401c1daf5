import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CompressionType,
  columnFromArray,
  float64,
  setCompressionCodec,
  tableFromColumns,
  tableToIPC,
} from "@uwdata/flechette";
import type { CompressionCodec, Encoding, SchemaElement } from "hyparquet";
import { ByteWriter, parquetWrite } from "hyparquet-writer";
import { Digest } from "./digest.ts";
import { lz4Block, lz4Frame, lz4Hadoop } from "./lz4.ts";

/** A file of one column whose values are one page of about 8 MB, and the digest of the values. */
export interface FirstCall {
  readonly name: string;
  readonly path: string;
  readonly digest: string;
}

/** Rows whose 64-bit values are a page of 8 MB. */
const ROWS = 1_048_576;

/** Integers below `most`, in runs of `run` at most. The same each time. */
function integers(rows: number, most: number, run: number): Int32Array<ArrayBuffer> {
  const values = new Int32Array(rows);
  let state = 88_675_123;
  for (let at = 0; at < rows; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
    const value = Math.floor(((state >>> 8) / 2 ** 24) * most);
    const end = Math.min(rows, at + 1 + (((state >>> 4) & 1023) % run));
    for (; at < end; at++) values[at] = value;
  }
  return values;
}

const doubles = Float64Array.from(integers(ROWS, 1e6, 40), (value) => value / 100);
const words = Array.from(integers(ROWS / 2, 5000, 3), (value) => `word ${value} of a column`);
/** Runs of equal and packed values: every second thousand of rows repeats one value. */
const mixed = (most: number) =>
  integers(8 * ROWS, most, 1).map((value, i) => (Math.floor(i / 1000) % 2 === 0 ? value : (i / 2000) | 0));

interface Source {
  readonly name: string;
  readonly data: readonly unknown[] | Float64Array | Int32Array | BigInt64Array;
  readonly schema?: Partial<SchemaElement>;
  readonly encoding?: Encoding;
  readonly codec?: CompressionCodec;
  /** The values that the table has, if they are not `data`. */
  readonly values?: Float64Array | Int32Array | BigInt64Array | Uint8Array;
}

const INT32 = { type: "INT32" } as const;
const FIXED = {
  type: "FIXED_LEN_BYTE_ARRAY",
  type_length: 8,
  converted_type: "DECIMAL",
  precision: 18,
  scale: 0,
} as const;
const STRING = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
const wide = BigInt64Array.from(integers(ROWS, 1e9, 2), (value) => BigInt(value) ** 2n - 10n ** 17n);

const SOURCES: readonly Source[] = [
  ...(["LZ4_RAW", "LZ4", "SNAPPY"] as const).map((codec) => ({ name: codec, data: doubles, codec })),
  {
    name: "deltas of 32 bits",
    data: integers(2 * ROWS, 1e9, 2),
    schema: INT32,
    encoding: "DELTA_BINARY_PACKED",
  },
  {
    name: "deltas of 64 bits",
    data: wide,
    schema: { type: "INT64" },
    encoding: "DELTA_BINARY_PACKED",
  },
  { name: "decimals in bytes", data: wide, schema: FIXED },
  { name: "split bytes", data: doubles, encoding: "BYTE_STREAM_SPLIT" },
  { name: "indices of 7 bits", data: mixed(100), schema: INT32, encoding: "RLE_DICTIONARY" },
  { name: "indices of 8 bits", data: mixed(200), schema: INT32, encoding: "RLE_DICTIONARY" },
  {
    name: "nulls",
    data: Array.from(doubles, (value, i) => (i % 7 < 2 || i % 9000 > 6000 ? null : value)),
    schema: { repetition_type: "OPTIONAL" },
    values: doubles.map((value, i) => (i % 7 < 2 || i % 9000 > 6000 ? 0 : value)),
  },
  {
    name: "booleans in runs",
    data: Array.from(integers(8 * ROWS, 2, 30), (value) => value === 1),
    schema: { type: "BOOLEAN" },
    encoding: "RLE",
    values: Uint8Array.from(integers(8 * ROWS, 2, 30)),
  },
  { name: "plain strings", data: words, schema: STRING, encoding: "PLAIN" },
  { name: "lengths, then strings", data: words, schema: STRING, encoding: "DELTA_LENGTH_BYTE_ARRAY" },
  { name: "strings by prefix", data: words, schema: STRING, encoding: "DELTA_BYTE_ARRAY" },
];

/** The names of all files. */
export const NAMES: readonly string[] = [...SOURCES.map(({ name }) => name), "frames of LZ4", "csv"];

/** Writes the files into a folder. */
export function writeFirstCalls(folder: string): FirstCall[] {
  const calls = SOURCES.map(({ name, data, schema, encoding, codec = "UNCOMPRESSED", values }): FirstCall => {
    const writer = new ByteWriter();
    const element = { name: "x", type: "DOUBLE", repetition_type: "REQUIRED", ...schema } as SchemaElement;
    parquetWrite({
      writer,
      codec,
      compressors: { LZ4_RAW: (bytes) => lz4Block(bytes, 0, bytes.length), LZ4: lz4Hadoop },
      schema: [{ name: "root", num_children: 1 }, element],
      columnData: [{ name: "x", data: data as never, encoding: encoding ?? "PLAIN" }],
      rowGroupSize: data.length,
      pageSize: 2 ** 28,
      statistics: false,
    });
    const path = join(folder, `${name}.parquet`);
    writeFileSync(path, writer.getBytes());
    return { name, path, digest: digestOf(values ?? data) };
  });
  return [...calls, arrow(folder), csv(folder)];
}

function digestOf(values: ArrayBufferView | readonly unknown[]): string {
  const digest = new Digest();
  if (ArrayBuffer.isView(values)) digest.numbers(values);
  else digest.strings(values as readonly string[]);
  return digest.text;
}

function arrow(folder: string): FirstCall {
  setCompressionCodec(CompressionType.LZ4_FRAME, { encode: lz4Frame, decode: (bytes) => bytes });
  const column = columnFromArray(doubles, float64(), { maxBatchRows: ROWS });
  const path = join(folder, "lz4.arrow");
  const bytes = tableToIPC(tableFromColumns({ x: column }), {
    format: "file",
    codec: CompressionType.LZ4_FRAME,
  });
  writeFileSync(path, bytes!);
  return { name: "frames of LZ4", path, digest: digestOf(doubles) };
}

function csv(folder: string): FirstCall {
  const path = join(folder, "numbers.csv");
  writeFileSync(path, `x\n${doubles.join("\n")}\n`);
  return { name: "csv", path, digest: digestOf(doubles) };
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import type { OpenTableOptions } from "../../src/index.ts";

/** A whole file, and how it is opened. */
export interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly options: OpenTableOptions;
}

const rows = Array.from({ length: 40 }, (_, i) => i);
const csv = `id,price,city,time\n${rows.map((i) => `${i * 1e9},${i / 8},"Town, ${i}",2026-01-${String(1 + (i % 28)).padStart(2, "0")} 12:00:00\n`).join("")}`;
const jsonl = rows
  .map(
    (i) =>
      `${JSON.stringify({ id: i, x: i / 8, big: "B", ok: i % 2 === 0 }).replace('"B"', `9007199254740${100 + i}`)}\n`,
  )
  .join("");

const npy = join(import.meta.dirname, "../npy");
const numpy = readdirSync(npy).filter((name) =>
  /^(f8|i2-big|u8|bool|time-ms|text|matrix|fortran(?!.npz)|record|version[123]|stored|deflated)\.np[yz]$/.test(
    name,
  ),
);

/** Damages copy a sample with `slice`, which in a Buffer would return the same memory. */
const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Small files of the formats of text and of NumPy. */
export const TEXTS_AND_ARRAYS: readonly Sample[] = [
  { name: "csv", bytes: encoded(csv), options: { format: "csv" } },
  {
    name: "csv, other options",
    bytes: new Uint8Array(Buffer.from(csv.replaceAll('"', "'").replaceAll("Town", "Orl\xe9ans"), "latin1")),
    options: { format: "csv", quote: "'", encoding: "latin1", quotedNewlines: true, nulls: ["0"] },
  },
  { name: "csv in parts", bytes: encoded(csv), options: { format: "csv", partBytes: 256 } },
  {
    name: "tsv",
    bytes: encoded(csv.replaceAll(",", "\t")),
    options: { format: "csv", separator: "\t", types: { price: "f32" } },
  },
  {
    name: "csv, more options",
    bytes: encoded(
      `# a comment\n${csv.replaceAll('"', "").replaceAll("Town, ", "Town\\,").replaceAll(" 12:00:00", "")}`,
    ),
    options: { format: "csv", escape: "\\", comment: "#", dateFormat: "%Y-%m-%d", badRows: "skip" },
  },
  {
    name: "csv, decimal commas",
    bytes: encoded(csv.replaceAll(",", ";").replaceAll(".", ",")),
    options: { format: "csv", separator: ";", decimal: ",", badRows: "skip", partBytes: 256 },
  },
  { name: "csv.gz", bytes: new Uint8Array(gzipSync(csv)), options: { format: "csv" } },
  {
    name: "csv.zst",
    bytes: new Uint8Array(zstdCompressSync(csv)),
    options: { format: "csv", partBytes: 256 },
  },
  { name: "jsonl.gz", bytes: new Uint8Array(gzipSync(jsonl)), options: { format: "jsonl" } },
  { name: "jsonl.zst", bytes: new Uint8Array(zstdCompressSync(jsonl)), options: { format: "jsonl" } },
  { name: "jsonl", bytes: encoded(jsonl), options: { format: "jsonl", partBytes: 512 } },
  ...numpy.map((name) => ({
    name,
    bytes: new Uint8Array(readFileSync(join(npy, name))),
    options: { format: name.slice(-3), partBytes: 128 },
  })),
];

const tables = join(import.meta.dirname, "../tables/vectors");

/** Parquet and Arrow files. Most of them have few columns, so that they take little time. */
export const TABLES: readonly Sample[] = readdirSync(tables)
  .filter((name) =>
    /^(fastparquet|pyarrow-(int96|sums|deltas|replaced|delta-|dictionary-zstd|plain-snappy|lz4)).*\.(parquet|arrows?)$/.test(
      name,
    ),
  )
  .map((name) => ({
    name,
    bytes: new Uint8Array(readFileSync(join(tables, name))),
    options: { format: name.endsWith(".parquet") ? "parquet" : "arrow" },
  }));

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { columnFromArray, float64, int32, tableFromColumns, tableToIPC } from "@uwdata/flechette";
import { parquetWriteBuffer } from "hyparquet-writer";
import { npyFile, zip } from "../zip.ts";

export const ROWS = 1000;

/** The columns of every file. `g` has groups, `flag` is a mask, and `w` has weights. */
export const COLUMNS: Readonly<
  Record<"x" | "w", Float64Array<ArrayBuffer>> & Record<"n" | "g" | "flag", Int32Array<ArrayBuffer>>
> = {
  x: Float64Array.from({ length: ROWS }, (_, i) => Math.sin(i) * 100 + i / 7),
  n: Int32Array.from({ length: ROWS }, (_, i) => ((i * 7919) % 211) - 50),
  w: Float64Array.from({ length: ROWS }, (_, i) => Math.cos(i) / 3 + (i % 97) * 1e6),
  g: Int32Array.from({ length: ROWS }, (_, i) => Math.floor(i / 7) % 3),
  flag: Int32Array.from({ length: ROWS }, (_, i) => (i % 5 === 0 ? 0 : i % 3)),
};

const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
const rows = Array.from({ length: ROWS }, (_, i) => names.map((name) => COLUMNS[name][i]!));
const bytes = (values: ArrayBufferView) =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

function structured(): Buffer {
  const data = Buffer.alloc(ROWS * 28);
  rows.forEach(([x, n, w, g, flag], i) => {
    data.writeDoubleLE(x!, 28 * i);
    data.writeInt32LE(n!, 28 * i + 8);
    data.writeDoubleLE(w!, 28 * i + 12);
    data.writeInt32LE(g!, 28 * i + 20);
    data.writeInt32LE(flag!, 28 * i + 24);
  });
  return npyFile("[('x', '<f8'), ('n', '<i4'), ('w', '<f8'), ('g', '<i4'), ('flag', '<i4')]", ROWS, data);
}

function archive(deflated: boolean): Buffer {
  return zip(
    names.map((name) => {
      const values = COLUMNS[name];
      const dtype = values instanceof Float64Array ? "'<f8'" : "'<i4'";
      return { name: `${name}.npy`, bytes: npyFile(dtype, ROWS, bytes(values)), deflated };
    }),
  );
}

function parquet(statistics: boolean): Buffer {
  const columnData = names.map((name) => ({
    name,
    data: COLUMNS[name] as never,
    type: COLUMNS[name] instanceof Float64Array ? ("DOUBLE" as const) : ("INT32" as const),
    nullable: false,
  }));
  return Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 170, statistics }));
}

function arrow(format: "file" | "stream"): Buffer {
  const columns = Object.fromEntries(
    names.map((name) => {
      const values = COLUMNS[name];
      const type = values instanceof Float64Array ? float64() : int32();
      return [name, columnFromArray(values, type, { maxBatchRows: 130 })];
    }),
  );
  return Buffer.from(tableToIPC(tableFromColumns(columns), { format })!);
}

const text = (separator: string) => [names, ...rows].map((row) => `${row.join(separator)}\n`).join("");
const lines = rows
  .map((row) => JSON.stringify(Object.fromEntries(row.map((value, i) => [names[i]!, value]))))
  .join("\n");

const KINDS: Readonly<Record<string, () => Buffer | string>> = {
  "table.csv": () => text(","),
  "table.tsv": () => text("\t"),
  "table.jsonl": () => lines,
  "table.parquet": () => parquet(true),
  "unstated.parquet": () => parquet(false),
  "table.arrow": () => arrow("file"),
  "table.arrows": () => arrow("stream"),
  "table.npy": structured,
  "stored.npz": () => archive(false),
  "deflated.npz": () => archive(true),
};

/** The names of all files. */
export const FILES: readonly string[] = Object.keys(KINDS);

/** Writes a file of every kind into a folder. */
export function writeFiles(folder: string): void {
  for (const [name, make] of Object.entries(KINDS)) writeFileSync(join(folder, name), make());
}

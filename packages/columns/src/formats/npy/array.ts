import { expected } from "@polybin/core/backend";
import { type ColumnInfo, checkColumnCount, uniqueNames } from "../../table/index.ts";
import type { NpyColumn } from "./decode.ts";
import type { NpyHeader } from "./header.ts";

/** Reads ranges of bytes of an array's data. Ranges of one reader ascend. */
export interface ArrayReader {
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** An array in an NPY file: how its elements form columns, and how they are read. */
export interface NpyArray {
  readonly columns: readonly ColumnInfo[];
  readonly rows: number;
  /** Bytes of all columns of a row. */
  readonly rowBytes: number;
  /** Reads rows of some columns. */
  read(reader: ArrayReader, first: number, rows: number, columns: readonly number[]): Promise<ReadRows>;
}

/** Bytes of rows, and where the elements of the columns lie in them. */
export interface ReadRows {
  readonly blocks: Uint8Array<ArrayBuffer>[];
  readonly columns: NpyColumn[];
}

/**
 * Makes columns of an array. One dimension is one column, two are one column for each index of the second one, and more
 * dimensions are flattened into one column. The fields of a structured dtype are columns.
 * @param flatten whether two dimensions are one column, too.
 * @throws ERR_LIMIT for too many columns.
 */
export function arrayOf(name: string, header: NpyHeader, flatten: boolean, columnName: string): NpyArray {
  const { dtype, shape, isFortran, count } = header;
  const isMatrix = shape.length === 2 && !dtype.isStructured && !flatten;
  const width = isMatrix ? shape[1]! : 1;
  checkColumnCount(name, width * dtype.fields.length);
  const rows = isMatrix ? shape[0]! : count;
  const names = dtype.isStructured
    ? dtype.fields.map((field) => field.name)
    : isMatrix
      ? Array.from({ length: width }, (_, i) => (columnName === "" ? "" : `${columnName}[${i}]`))
      : [columnName || "value"];
  const [plain] = dtype.fields;
  const all = isMatrix
    ? names.map((_, i) => ({ ...plain!, offset: isFortran ? i * rows * dtype.bytes : i * dtype.bytes }))
    : [...dtype.fields];
  const unique = uniqueNames(names);
  const columns = all.map(({ type, element }, i) => ({
    name: unique[i]!,
    type,
    nullable: element.as === "time" || element.as === "day",
  }));
  const record = dtype.bytes * (isMatrix && !isFortran ? width : 1);
  const place = (index: number, block: number, offset: number, stride: number): NpyColumn => {
    const { element, bytes, swaps } = all[index]!;
    return { name: unique[index]!, element, block, offset, stride, bytes, swaps };
  };
  return {
    columns,
    rows,
    rowBytes: dtype.bytes * width,
    async read(reader, first, count, picked) {
      if (picked.length === 0) return { blocks: [], columns: [] };
      if (!isMatrix || !isFortran) {
        const block = await reader.read(first * record, count * record);
        return { blocks: [block], columns: picked.map((i) => place(i, 0, all[i]!.offset, record)) };
      }
      // The elements of each column lie next to one another, far from those of the others.
      const blocks = await Promise.all(
        picked.map((i) => reader.read(all[i]!.offset + first * dtype.bytes, count * dtype.bytes)),
      );
      return { blocks, columns: picked.map((i, block) => place(i, block, 0, dtype.bytes)) };
    },
  };
}

/** @throws ERR_INPUT unless the value is a switch or undefined. */
export function checkFlatten(flatten: unknown): void {
  if (flatten !== undefined && typeof flatten !== "boolean")
    throw expected("ERR_INPUT", "flatten", "true or false", flatten);
}

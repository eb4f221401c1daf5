import type { Combine } from "../combine.ts";
import type { AnyStorage, UhiNested, UhiScalar } from "../uhi/schema.ts";

/** The numbers of cells: one array per row of a storage. Null: they are not known. */
export type Rows = readonly (Float64Array | null)[];

/** The meaning of the numbers in the cells of a histogram. */
export interface Storage {
  /** The row that sums and densities refer to. */
  readonly main: number;
  /** How each row of two results is merged. */
  readonly sum: readonly Combine[];
  /** How each row of two results is subtracted. */
  readonly difference: readonly Combine[];
  /** Checks rows whose cells were added up. @throws ERR_LIMIT */
  check(rows: Rows): void;
  /** Writes the rows in UHI's schema. @throws ERR_UNSUPPORTED if a number is not finite */
  write(rows: Rows, writer: RowWriter): Written;
}

/** A storage of UHI's schema, and notes of what the schema has no place for. Undefined notes are left out. */
export interface Written {
  readonly storage: AnyStorage;
  readonly notes: Readonly<Record<string, UhiScalar | undefined>>;
}

/** Writes a row in UHI's schema. */
export interface RowWriter {
  /** Returns the cells that the schema has a place for, one level of arrays per axis. @throws ERR_UNSUPPORTED */
  nested(name: string, row: Float64Array): UhiNested;
  /** The same for numbers that may be NaN, which JSON does not have: null represents it. */
  nestedOrNull(name: string, row: Float64Array): UhiNested<number | null>;
  /** Returns the other cells as a note; undefined if all are 0. @throws ERR_UNSUPPORTED */
  outside(name: string, row: Float64Array): string | undefined;
}

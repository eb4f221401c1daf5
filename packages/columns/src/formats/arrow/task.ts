/** How a column's values lie in a buffer, and so what they become. */
export type Store =
  | "i8"
  | "u8"
  | "i16"
  | "u16"
  | "i32"
  | "u32"
  | "i64"
  | "u64"
  | "f16"
  | "f32"
  | "f64"
  | "boolean"
  | "decimal32"
  | "decimal64"
  | "decimal128"
  | "decimal256"
  | "utf8"
  | "largeUtf8"
  | "view";

/** Bits of a value, for the types whose values have all one size. */
export const BITS: Readonly<Partial<Record<Store, number>>> = {
  boolean: 1,
  i8: 8,
  u8: 8,
  i16: 16,
  u16: 16,
  f16: 16,
  i32: 32,
  u32: 32,
  f32: 32,
  decimal32: 32,
  i64: 64,
  u64: 64,
  f64: 64,
  decimal64: 64,
  decimal128: 128,
  decimal256: 256,
};

/** The code of a dictionary's value that is null. */
export const NULL_CODE = 0xffff_ffff;

/** Buffers of one column. They hold exactly these rows, unless they are compressed. */
export interface ColumnTask {
  readonly name: string;
  readonly store: Store;
  readonly rows: number;
  /** Validity, then the buffers of the type. */
  readonly buffers: readonly Uint8Array<ArrayBuffer>[];
  /** Position of the first string among the bytes that the offsets count from. */
  readonly base: number;
  readonly codec: "lz4" | "zstd" | null;
  /**
   * Number of the dictionary's values if the column's values are indices. `codes` replaces indices if a string is in the
   * dictionary twice, or a value is null: NULL_CODE.
   */
  readonly dictionary: { readonly size: number; readonly codes: Uint32Array | null } | null;
}

/** A batch to decode. */
export interface BatchTask {
  readonly file: string;
  readonly columns: readonly ColumnTask[];
}

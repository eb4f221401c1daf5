/** How a column's values lie in the file, and what they become. */
export type Store =
  | "i8"
  | "u8"
  | "i16"
  | "u16"
  | "i32"
  | "u32"
  | "i64"
  | "u64"
  | "f32"
  | "f64"
  /** Half floats in two bytes, which become f32. */
  | "half"
  /** Booleans, which become bytes. */
  | "boolean"
  /** Decimals of 32 or 64 bits, or in bytes with the highest first, which become i64. */
  | "decimal"
  /** Times of 96 bits: nanoseconds of a day, and a Julian day. They become i64: nanoseconds since 1970. */
  | "int96"
  | "string";

export type Physical =
  | "BOOLEAN"
  | "INT32"
  | "INT64"
  | "INT96"
  | "FLOAT"
  | "DOUBLE"
  | "BYTE_ARRAY"
  | "FIXED_LEN_BYTE_ARRAY";

/** A page, as its header states it. Its bytes are from `start` to `end` of the task's bytes. */
export interface PageTask {
  readonly kind: "dictionary" | "v1" | "v2";
  readonly start: number;
  readonly end: number;
  /** Bytes after decompression, levels included. */
  readonly size: number;
  /** Values, nulls included. */
  readonly values: number;
  readonly encoding: string;
  /** Bytes of levels before the values, never compressed (v2). */
  readonly levels: number;
  /** Those at their beginning that say how values repeat, which those of a flat column do not. */
  readonly repetition: number;
  readonly nulls: number;
  readonly compressed: boolean;
  readonly levelEncoding: string;
  readonly crc: number | null;
}

/** Pages of one column, and the rows of them that a batch takes. */
export interface ColumnTask {
  readonly name: string;
  readonly physical: Physical;
  readonly typeLength: number;
  /** The level of a value. Lower ones are nulls, and 0 means that there are none. */
  readonly level: number;
  readonly store: Store;
  readonly codec: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether this is the only task of its chunk, so that nothing else needs the memory of the bytes. */
  readonly isAlone: boolean;
  readonly dictionary: PageTask | null;
  readonly pages: readonly PageTask[];
  /** Rows of the first page that an earlier batch took. */
  readonly skip: number;
  readonly rows: number;
}

/** A batch to decode. */
export interface BatchTask {
  readonly file: string;
  readonly rows: number;
  readonly columns: readonly ColumnTask[];
  /** Whether each column comes as values without their rows. */
  readonly counted: readonly boolean[];
}

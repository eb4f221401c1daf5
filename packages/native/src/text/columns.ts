import { packed, TEXT_COLUMN, type TextFound, type TextPart } from "../border/index.ts";

/**
 * Types of values that a reader of text stores: samples, bytes 0 and 1, days from 1970-01-01, ticks from it, or the places
 * of texts among the different ones.
 */
export type Stored =
  | ("u8" | "i8" | "u16" | "i16" | "u32" | "i32" | "f32" | "f64" | "i64" | "u64")
  | ("boolean" | "date" | "time" | "text");

/** A column to read. */
export interface TextColumn {
  /** Its place in a record, or among the names of the fields. */
  readonly index: number;
  readonly stored: Stored;
  /** The digits of a second's fraction that a tick of a time holds, and whether its texts end with Z. Default: 0, false. */
  readonly digits?: number;
  readonly zone?: boolean;
  /** Whether to count equal values, where that saves memory, and to leave out the rows and nulls. Default: false. */
  readonly counted?: boolean;
}

/** A part of an open file: the records that start in its bytes, with every newline taken for the end of one. */
export interface TextPlace {
  readonly descriptor: number;
  /** Offset of the first record of the file, and bytes of the file. */
  readonly start: number;
  readonly size: number;
  readonly partBytes: number;
  readonly part: number;
}

/** Reads columns of text in compiled code. Records end with a line feed. */
export interface TextReader<Request> {
  /**
   * Reads whole records. The memory must not change meanwhile.
   * @returns null if compiled code does not read one of them
   */
  read(bytes: Uint8Array, request: Request): TextFound | Promise<TextFound>;
}

/** Reads parts of open files, too, as the addon does. */
export interface TextPartReader<Request> extends TextReader<Request> {
  /**
   * Reads a part of an open file, which must stay open meanwhile. Its columns are null if compiled code does not read a
   * record.
   */
  readPart(place: TextPlace, request: Request): TextPart | Promise<TextPart>;
}

/** Packs columns. */
export const packedColumns = (columns: readonly TextColumn[]): Uint8Array[] =>
  columns.map(({ index, stored, digits = 0, zone = false, counted = false }) =>
    packed(TEXT_COLUMN, { index, stored, digits, zone, counted }),
  );

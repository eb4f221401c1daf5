import {
  type FieldType,
  type FieldValues,
  pack,
  SAMPLE_TYPES,
  type Struct,
  struct,
} from "@polybin/core/backend";

// Describes the numbers that cross into native code as bytes. scripts/generate.mjs writes the C++ of it.

/** Names for the numbers from 0 on. In C++ it is an `enum class`. */
export interface Enumeration {
  readonly enumeration: string;
  readonly values: readonly string[];
}

const Type: Enumeration = { enumeration: "Type", values: SAMPLE_TYPES };
/** How samples find their rows: bytes as they are, or by core's lowerings. */
const Kind: Enumeration = { enumeration: "Kind", values: ["raw", "direct", "table", "keys"] };
/** Instruction sets, each with all instructions of those before it. */
const Instructions: Enumeration = {
  enumeration: "Instructions",
  values: ["best", "plain", "avx2", "avx512"],
};
/** Whether neighbouring bytes are counted as pairs: where that was faster when it was measured, or as a test wants. */
const Pairing: Enumeration = { enumeration: "Pairing", values: ["measured", "never", "always"] };
/** How a mask leaves samples out, as in core's MaskKind. */
const Mask: Enumeration = { enumeration: "Mask", values: ["none", "bytes", "bits"] };
/** How samples are cut into segments, as in core's Segments. */
const Cut: Enumeration = { enumeration: "Cut", values: ["every", "offsets", "tiles"] };
/** The algorithms that have a kernel. */
const Algorithm: Enumeration = {
  enumeration: "Algorithm",
  values: ["perLane", "perThread", "perGroup", "trish", "perSegment"],
};

/** How the values of a column of text are stored: as samples of a type, as bytes 0 and 1, as days, ticks or codes. */
const Stored: Enumeration = {
  enumeration: "Stored",
  values: [
    "u8",
    "i8",
    "u16",
    "i16",
    "u32",
    "i32",
    "f32",
    "f64",
    "i64",
    "u64",
    "boolean",
    "date",
    "time",
    "text",
  ],
};

/** The codecs of pages of Parquet, and the kinds of pages. */
const PageCodec: Enumeration = {
  enumeration: "PageCodec",
  values: ["none", "snappy", "zstd", "gzip", "brotli", "lz4"],
};
const PageKind: Enumeration = { enumeration: "PageKind", values: ["dictionary", "v1", "v2"] };
/**
 * How the values of a page are stored: as they are, as indices into the dictionary, byte by byte, in runs, as differences,
 * and texts behind all of their lengths, or without what they share with the one before.
 */
const PageEncoding: Enumeration = {
  enumeration: "PageEncoding",
  values: ["plain", "coded", "split", "runs", "deltas", "lengths", "prefixes"],
};
/**
 * The form of the values in memory: their bytes, bytes 0 and 1, integers of 32 bits with another size, integers of bytes,
 * times of 96 bits, or numbers of texts.
 */
const Layout: Enumeration = {
  enumeration: "Layout",
  values: ["bytes4", "bytes8", "boolean", "i8", "u8", "i16", "u16", "widened", "decimal", "int96", "text"],
};
/** The wanted content of a column: its rows, its values without nulls, or these with the counts of indices. */
const Taken: Enumeration = { enumeration: "Taken", values: ["rows", "values", "counts"] };

/** All enumerations. */
export const ENUMERATIONS: readonly Enumeration[] = [
  Type,
  Kind,
  Instructions,
  Pairing,
  Mask,
  Cut,
  Algorithm,
  Stored,
  PageCodec,
  PageKind,
  PageEncoding,
  Layout,
  Taken,
];

/** The fields that are enumerations; all others have the struct's own types. */
export const NAMED: Readonly<Record<string, Enumeration>> = {
  type: Type,
  kind: Kind,
  instructions: Instructions,
  algorithm: Algorithm,
  pairing: Pairing,
  mask: Mask,
  cut: Cut,
  stored: Stored,
  codec: PageCodec,
  page: PageKind,
  encoding: PageEncoding,
  layout: Layout,
  taken: Taken,
};

const FIELDS = {
  type: "u32",
  kind: "u32",
  instructions: "u32",
  algorithm: "u32",
  pairing: "u32",
  /** Interleaved samples per pixel, and a bit for each channel that is counted. */
  interleaved: "u32",
  channels: "u32",
  bins: "u32",
  /** Rows of a table: the 256 values of raw bytes, or the bins and three of flow. */
  rows: "u32",
  /** Tables of a thread for each channel. */
  tables: "u32",
  /** Most threads of a call, the bytes that pay for one more, and the bytes that a thread takes at a time. */
  threads: "u32",
  shareBytes: "u32",
  pieceBytes: "u32",
  /** perGroup: threads that share a table. 0: each has its own. */
  group: "u32",
  /** Whether each thread takes one share of the samples, instead of a piece after the other. */
  contiguous: "bool",
  /** trish: words that a lane counts before it checks, and whether rows are summed in pairs. */
  words: "u32",
  pairs: "bool",
  /** keys: the last key of the bins. */
  lastLow: "u32",
  lastHigh: "u32",
  /** keys: whether the edges are even, so that bin = (sample - lo) * scale. */
  linear: "bool",
  /** direct: the first value. */
  start: "i64",
  lo: "f64",
  scale: "f64",
  /** From edge to edge, as core computes it. */
  step: "f64",
  /** A column of several: how far its bytes are shifted to the right, and the cells from one place to the next. */
  shift: "u32",
  stride: "u32",
} as const satisfies Record<string, FieldType>;

/** A job without its arrays. Fields that it does not need are 0. */
export const JOB: Struct<typeof FIELDS> = struct("JobNumbers", FIELDS);

const CELLS_FIELDS = {
  /** Number of cells. The samples that a mask leaves out have one more counter. */
  cells: "u32",
  mask: "u32",
  /** Whether all threads count in one table. */
  shared: "bool",
  /** Tables of a thread. */
  tables: "u32",
  /** Most threads of a call, the samples that pay for one more, and the samples that a thread takes at a time. */
  threads: "u32",
  shareSamples: "u32",
  pieceSamples: "u32",
} as const satisfies Record<string, FieldType>;

/** A count of cells without its columns. */
export const CELLS: Struct<typeof CELLS_FIELDS> = struct("CellsNumbers", CELLS_FIELDS);

const SEGMENTS_FIELDS = {
  cut: "u32",
  /** tiles: tiles per row. */
  columns: "u32",
  /** Number of segments, and their pixels. */
  count: "u64",
  pixels: "u64",
  /** every: pixels of a segment. */
  every: "u64",
  /** tiles: the size of a tile, and of the picture. */
  width: "u64",
  height: "u64",
  imageWidth: "u64",
  imageHeight: "u64",
} as const satisfies Record<string, FieldType>;

/** Segments without their offsets. Fields that a cut does not need are 0. */
export const SEGMENTS: Struct<typeof SEGMENTS_FIELDS> = struct("SegmentsNumbers", SEGMENTS_FIELDS);

const CSV_FIELDS = {
  instructions: "u32",
  separator: "u32",
  /** 0: there are no quotation marks. */
  quote: "u32",
  /** Fields of a record. */
  width: "u32",
  /** Whether the bytes must be UTF-8. */
  utf8: "bool",
  /** Threads that read pieces at the same time. 0: the calling thread reads. */
  threads: "u32",
} as const satisfies Record<string, FieldType>;

/** A piece of CSV without its columns. */
export const CSV: Struct<typeof CSV_FIELDS> = struct("CsvNumbers", CSV_FIELDS);

const TEXT_COLUMN_FIELDS = {
  index: "u32",
  stored: "u32",
  /** time: digits of a second's fraction, and whether texts end with Z. */
  digits: "u32",
  zone: "bool",
  /** Whether the values come with their counts, without their rows. */
  counted: "bool",
} as const satisfies Record<string, FieldType>;

/** A column that is read from text. */
export const TEXT_COLUMN: Struct<typeof TEXT_COLUMN_FIELDS> = struct("TextColumnNumbers", TEXT_COLUMN_FIELDS);

const TEXT_FOUND_FIELDS = {
  /** Addresses in the memory of WebAssembly, each with a number of bytes (addon.ts, `TextValues`). */
  values: "u32",
  valuesBytes: "u32",
  nulls: "u32",
  valid: "u32",
  validBytes: "u32",
  ends: "u32",
  endsBytes: "u32",
  texts: "u32",
  textsBytes: "u32",
  counts: "u32",
  countsBytes: "u32",
} as const satisfies Record<string, FieldType>;

/** A column that was read in WebAssembly. */
export const TEXT_FOUND: Struct<typeof TEXT_FOUND_FIELDS> = struct("TextFoundNumbers", TEXT_FOUND_FIELDS);

const PARQUET_FIELDS = {
  codec: "u32",
  layout: "u32",
  taken: "u32",
  /** Bytes of a value that is bytes. */
  width: "u32",
  /** The level of a value. Lower ones are nulls, and 0 means that there are none. */
  level: "u32",
  /** Whether the first page is a dictionary. */
  dictionary: "bool",
  /** Rows of the pages before those that are taken, and the number of these. */
  skip: "u32",
  rows: "u32",
  /** Threads that read columns at the same time. 0: the calling thread reads. */
  threads: "u32",
} as const satisfies Record<string, FieldType>;

/** Pages of a column of a Parquet file, without the pages. */
export const PARQUET: Struct<typeof PARQUET_FIELDS> = struct("ParquetNumbers", PARQUET_FIELDS);

const PAGE_FIELDS = {
  page: "u32",
  encoding: "u32",
  /** Its bytes, and those after decompression. */
  start: "u32",
  end: "u32",
  size: "u32",
  /** Values, nulls included. */
  values: "u32",
  /** v2: bytes of levels before the values, and nulls. */
  levels: "u32",
  nulls: "u32",
  compressed: "bool",
} as const satisfies Record<string, FieldType>;

/** A page of a Parquet file. */
export const PAGE: Struct<typeof PAGE_FIELDS> = struct("PageNumbers", PAGE_FIELDS);

/** All structs. */
export const STRUCTS: readonly Struct[] = [JOB, CELLS, SEGMENTS, CSV, TEXT_COLUMN, TEXT_FOUND, PARQUET, PAGE];

type Named =
  | ("type" | "kind" | "instructions" | "algorithm" | "pairing" | "mask" | "cut" | "stored")
  | ("codec" | "page" | "encoding" | "layout" | "taken");

/** The values of a struct's fields. Those of enumerations are names. */
export type Values<F extends Record<string, FieldType>> = {
  readonly [name in keyof F]: name extends Named ? string : F[name] extends "bool" ? boolean : number;
};
export type JobValues = Values<typeof FIELDS>;

/** Packs a struct into bytes. @throws ERR_INTERNAL for a value that a field cannot hold. */
export function packed<F extends Record<string, FieldType>>(of: Struct<F>, values: Values<F>): Uint8Array {
  const numbers: Record<string, number | boolean | string> = { ...values };
  for (const [field, { values: names }] of Object.entries(NAMED)) {
    if (field in numbers) numbers[field] = names.indexOf(numbers[field] as string);
  }
  const bytes = new Uint8Array(of.bytes);
  pack(of, numbers as FieldValues<F>, new DataView(bytes.buffer));
  return bytes;
}

/** The addon's exports. */
export interface Native {
  /** The number of the widest instruction set of this processor (border/job.ts). */
  readonly instructions: number;
  readonly Counter: new (...job: PackedJob) => Counter;
  readonly Cells: new (
    /** The packed numbers of a count of cells. */
    numbers: Uint8Array,
    /** Each column as a job with one channel. */
    columns: readonly PackedJob[],
  ) => NativeCells;
  /** Reads columns from whole records. With threads, it returns a promise, and the memory must not change meanwhile. */
  readonly readCsv: (
    bytes: Uint8Array,
    /** The packed numbers of the dialect and of each column. */
    numbers: Uint8Array,
    columns: readonly Uint8Array[],
    /** Texts that are nulls, each behind the number of its bytes, and those that are nulls in columns of texts. */
    nulls: Uint8Array,
    textNulls: Uint8Array,
  ) => TextFound | Promise<TextFound>;
  /** Reads columns from a part of an open file, as `readCsv` does. */
  readonly readCsvPart: (
    /** The descriptor, the offset of the first record, the bytes of the file and of a part, and the part. */
    part: Float64Array,
    numbers: Uint8Array,
    columns: readonly Uint8Array[],
    nulls: Uint8Array,
    textNulls: Uint8Array,
  ) => TextPart | Promise<TextPart>;
  /** Reads columns from whole lines of JSON, as `readCsv` does. */
  readonly readJsonl: (
    bytes: Uint8Array,
    /** 0: the calling thread reads. */
    threads: number,
    columns: readonly Uint8Array[],
    /** All fields, and the parent of each: 0 for the line, or one more than its index. */
    keys: readonly string[],
    parents: Uint32Array,
  ) => TextFound | Promise<TextFound>;
  readonly readJsonlPart: (
    part: Float64Array,
    threads: number,
    columns: readonly Uint8Array[],
    keys: readonly string[],
    parents: Uint32Array,
  ) => TextPart | Promise<TextPart>;
  /**
   * Reads the pages of a column of a Parquet file. With threads, it returns a promise. The memory must not change
   * meanwhile, and nothing else may use that of what is read.
   */
  readonly readPages: (
    bytes: Uint8Array,
    /** The packed numbers of the column, and of all pages. */
    numbers: Uint8Array,
    pages: Uint8Array,
    /** Memory for the values, for one bit per row, 1 for a value, and for counts. The last two are 0 before. */
    values: Uint8Array,
    bits: Uint8Array,
    counts: Uint32Array,
  ) => PagesFound | Promise<PagesFound>;
}

/**
 * The numbers of values, of the first of these that have counts, and of nulls. A column of texts has the end of each
 * different text, the texts, and without rows their counts. Null if the pages were not read.
 */
export type PagesFound =
  | readonly [
      values: number,
      counted: number,
      nulls: number,
      ends?: ArrayBuffer,
      texts?: ArrayBuffer,
      counts?: ArrayBuffer,
    ]
  | null;

/** A part: where its records lie, whether it may be cut within a record or was not read, and its columns. */
export type TextPart = readonly [offset: number, bytes: number, isCut: boolean, found: TextFound];

/**
 * The number of rows, and each column. Null if the records are not regular.
 */
export type TextFound = readonly [rows: number, ...columns: TextValues[]] | null;
export type TextValues = readonly [
  /** The values of a column of texts are codes. */
  values: ArrayBuffer,
  nulls: number,
  /** One bit per row, 1 for a value. Null: there are no nulls. */
  valid: ArrayBuffer | null,
  /** The row and the end of each text that was not read. A column of texts has the end of each different text. */
  ends: ArrayBuffer,
  texts: ArrayBuffer,
  /** How often each value, or each different text, occurs. Null: the values have rows. */
  counts: ArrayBuffer | null,
];

/** A packed job; the codes of its table, or the low and high words of its thresholds. The high ones may be missing. */
export type PackedJob = readonly [numbers: Uint8Array, low: Uint32Array, high: Uint32Array];

/**
 * Four words in shared memory. Word 0 stops a count if it is not 0, and words 2 and 3 hold the number of pixels that were
 * counted.
 */
export type Watch = Uint32Array | null;

/** The sum of all counts, or an array of the sum and further numbers. */
export type Told = number | Float64Array;

/** A prepared count. It may run any number of times, also concurrently. */
export interface Counter {
  /**
   * Writes the counts of each channel: those of the bins, or of 256 bytes. `counts` is 0 before.
   * @returns the sum of all counts, and if some samples were in no bin, then underflow, overflow and NaN of each channel
   */
  countSync(bytes: Uint8Array, width: number, height: number, pitch: number, counts: Float64Array): Told;
  /** Does the same on other threads, and writes the counts. */
  count(
    bytes: Uint8Array,
    width: number,
    height: number,
    pitch: number,
    counts: Float64Array,
    watch: Watch,
  ): Promise<Told>;
  /** Counts the pixels of an open file, from an offset in bytes on, as `count` does. */
  countFile(
    descriptor: number,
    offset: number,
    pixels: number,
    counts: Float64Array,
    watch: Watch,
  ): Promise<Told>;
  /** Widens `range` by the finite samples of an open file. */
  extentFile(
    descriptor: number,
    offset: number,
    pixels: number,
    range: Float64Array,
    watch: Watch,
  ): Promise<unknown>;
  /** Widens `range`, the minimum and the maximum, by the finite samples of all channels. */
  extentSync(bytes: Uint8Array, width: number, height: number, pitch: number, range: Float64Array): void;
  /** Does the same on other threads. */
  extent(
    bytes: Uint8Array,
    width: number,
    height: number,
    pitch: number,
    range: Float64Array,
    watch: Watch,
  ): Promise<unknown>;
  /** Adds the counts of segments of the only channel to their rows, on other threads. */
  segments(
    bytes: Uint8Array,
    width: number,
    height: number,
    pitch: number,
    none: Float64Array,
    watch: Watch,
    /** Packed segments, and their offsets if they have some. */
    numbers: Uint8Array,
    offsets: Float64Array,
    /** Rows of bins, and of three numbers of flow, that nobody else has. */
    counts: Uint32Array | Float64Array,
    flow: Uint32Array | Float64Array | null,
  ): Promise<unknown>;
}

/** The samples of a count of cells. */
export type CellsInputs = readonly [
  /** The bytes of each column. */
  bytes: readonly Uint8Array[],
  /** The width, height and row pitch of each column, then of the mask. */
  geometry: Float64Array,
  mask: Uint8Array | null,
  /** Indices of pixels. */
  where: Uint32Array | null,
  samples: number,
];

/** A prepared count of cells. */
export interface NativeCells {
  /** Adds the counts of the cells to `counts`, and then that of the samples that were left out. */
  countSync(...of: [...CellsInputs, counts: Float64Array]): void;
  /** Does the same on other threads, and writes the counts. */
  count(...of: [...CellsInputs, counts: Float64Array, watch: Watch]): Promise<unknown>;
  /**
   * Adds up columns of weights, on other threads. `counts` receives the samples of each cell of each row, then those that
   * were left out, then the number of weights that are not finite.
   * @returns the sums of each column, and then those of its squares: the number of limbs, their exponents, and the limbs
   * of all cells
   */
  sums(
    ...of: [
      ...CellsInputs,
      counts: Float64Array,
      watch: Watch,
      weights: readonly (Float32Array | Float64Array)[],
      squares: boolean,
      /** Packed segments, their offsets if they have some, and the number of the first pixel; null: one row. */
      segments: Uint8Array | null,
      offsets: Float64Array,
      first: number,
    ]
  ): Promise<Float64Array>;
}

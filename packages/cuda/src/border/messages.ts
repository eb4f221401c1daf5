import { OWN_BYTES_MAX } from "../base/index.ts";
import { message, type Sent } from "./describe.ts";
import { Cut, LoweringNumbers, MaskKind, Plan, SampleType, WeightedPlan } from "./structs.ts";

/** Shared memory: the engine requests a stop, and the device reports the pixels that are done. */
export const Control = message("Control", { stop: { shared: "i32" }, done: { shared: "i64" } });
/** Without it, a call cannot be stopped. */
const control = { optional: Control } as const;

/** Pixels `first` to `first + pixels` of a resident, of host memory or of a file. */
export const Source = message("Source", {
  first: "u64",
  pixels: "u64",
  pixelBytes: "u32",
  /** Pixels per row, and bytes from row to row. */
  width: "u64",
  rowPitch: "u64",
  /** Host memory that begins with pixel 0. */
  bytes: { optional: { array: ["u8"] } },
  /** Number of a resident of the context, or 0 for none. */
  resident: { optional: "u32" },
  fd: { optional: "i32", otherwise: -1 },
  /** The byte of the file at which pixel 0 begins. */
  offset: { optional: "u64" },
});

/** The samples of a pixel that are counted. */
const Wanted = message("Wanted", { type: SampleType, interleaved: "u32", channels: { few: 4 } });

/** A lowering whose arrays are still on the host. Each kind has only the arrays that it needs. */
export const HostLowering = message("HostLowering", {
  numbers: LoweringNumbers,
  /**
   * table, and raw if the device sorts values into bins: 256 codes. 0 … bins-1 are the bins, then underflow, overflow.
   */
  table: { optional: { copied: "u32" } },
  /**
   * ranks: ascending thresholds, low and (f64) high words. A sample's rank is the number of thresholds that are at most
   * its key.
   */
  low: { optional: { copied: "u32" } },
  high: { optional: { copied: "u32" } },
  /** ranks: the lowest rank of each cell. Without them, that of cell i is i. */
  starts: { optional: { copied: "u32" } },
});

export const Upload = message("Upload", { source: Source, control });

/** Copies a resident's samples to the host. */
export const Download = message("Download", {
  source: Source,
  into: { written: ["u8"] },
  control,
});

export const ExtentJob = message("ExtentJob", { source: Source, wanted: Wanted, control });

/** Everything about a count except its samples. It crosses once. */
export const CountShape = message("CountShape", {
  wanted: Wanted,
  lowering: HostLowering,
  plan: Plan,
  algorithm: "text",
  /** The algorithm's own parameters, in a struct that its folder describes. */
  own: { own: OWN_BYTES_MAX },
  /** The most pixels of one launch: no 32-bit partial can then overflow. */
  launchPixels: "u64",
});

/** The parts that differ between counts. */
export const CountJob = message("CountJob", {
  source: Source,
  control,
  /** Whether to measure how long the device takes. */
  timed: "bool",
});

/** Counts segments of the samples. Each has a row. */
export const SegmentsJob = message("SegmentsJob", {
  shape: { once: CountShape },
  source: Source,
  /** Whether to measure how long the device takes. */
  timed: "bool",
  /** Number of the source's first pixel among those of all samples. */
  at: "u64",
  /** Samples of a part. A longer segment has several parts, side by side. */
  partSamples: "u64",
  /** The segments `first` to `first + segments` are counted. Their pixels outside the source are ignored. */
  first: "u64",
  segments: "u64",
  cut: Cut,
  /** Pixels of all samples, and of the longest segment. */
  pixels: "u64",
  longest: "u64",
  /** every: pixels of a segment. */
  every: { optional: "u64" },
  /** offsets: the begin of each of these segments, and the end of the last one. */
  offsets: { optional: { array: ["f64"] } },
  /** tiles: pixels across and down, tiles per row, pixels of the picture. */
  width: { optional: "u64" },
  height: { optional: "u64" },
  columns: { optional: "u64" },
  imageWidth: { optional: "u64" },
  imageHeight: { optional: "u64" },
  bins: "u32",
  /** Whether samples can fall outside the bins. Rows then have underflow, overflow, NaN. */
  flow: "bool",
  /** Whether a segment may have more samples than 32 bits hold. Its counts then have 64 bits and arrive as doubles. */
  wide: "bool",
  /** Segments whose counts are on the device at a time before they are copied to the host. */
  range: "u64",
  /** The destinations of counts and flow, row by row. Without them the counts stay on the device. */
  into: { optional: { written: ["u32", "f64"] } },
  flowInto: { optional: { written: ["u32", "f64"] } },
  control,
});

/** Copies rows that stayed on the device to the host. */
export const RowsJob = message("RowsJob", {
  /** Number of the rows in this context, and the range of them to copy. */
  id: "u32",
  first: "u64",
  segments: "u64",
  into: { written: ["u32", "f64"] },
  flowInto: { optional: { written: ["u32", "f64"] } },
  control,
});

/** One column of a joint count. */
const ColumnShape = message("ColumnShape", {
  wanted: Wanted,
  lowering: HostLowering,
  /** Number of its places, and cells from one place to the next. */
  extent: "u32",
  stride: "u32",
});

/** Everything about a joint count except its samples. */
const JointShape = message("JointShape", {
  columns: { list: ColumnShape },
  /** Subtracted from the sum of places and strides. */
  offset: "u32",
  mask: MaskKind,
  /** Whether the algorithm's kernel reads the columns. Otherwise a kernel before it writes the samples' cells. */
  direct: "bool",
  /** How cells are counted, as samples of type u32. */
  count: CountShape,
});

/** Counts the cells of several columns. */
export const JointJob = message("JointJob", {
  shape: { once: JointShape },
  /** The inputs of the columns, which have the same number of pixels, and the number of each column's input. */
  sources: { list: Source },
  sourceOf: { few: 6 },
  /** A byte per pixel, or the bytes that hold a bit per pixel. */
  mask: { optional: Source },
  /** The numbers of the pixels to count, each on the device. Missing: all pixels. */
  where: { optional: { array: ["u32"] } },
  /** Whether to measure how long the device takes. */
  timed: "bool",
  /** The destination of the cells' counts, as doubles. */
  into: { written: ["u32", "f64"] },
  control,
});

/** A feature table to upload. */
export const TableSource = message("TableSource", {
  /** Consecutive rows. */
  bytes: { array: ["u8"] },
  rowBytes: "u64",
  control,
});

/** Features of one plan that one launch adds up. */
export const SumsLaunch = message("SumsLaunch", {
  algorithm: "text",
  plan: WeightedPlan,
  own: { own: OWN_BYTES_MAX },
  /** Their rows in the context's table. */
  rows: { array: ["u32"] },
  /** The value whose documents are skipped. NO_SKIP: none are. */
  skip: { array: ["u32"] },
});

/** Weights to add up over some features of a table. */
export const SumsJob = message("SumsJob", {
  /** Number of the table in this context. */
  table: "u32",
  /** Documents to add up. */
  documents: "u64",
  weights: { array: ["i32", "f32"] },
  /** Squares of the same type. Missing if they are not requested. */
  squares: { optional: { array: ["i32", "f32"] } },
  /** The documents' indices. Missing for all documents. */
  list: { optional: { array: ["u32"] } },
  launches: { list: SumsLaunch },
  /** Whether the milliseconds of a launch must contain nothing but its kernel, not even loading. */
  timed: "bool",
  control,
});

/** All messages, each after those that it contains. */
export const MESSAGES = [
  Control,
  Source,
  Wanted,
  HostLowering,
  Upload,
  Download,
  ExtentJob,
  CountShape,
  CountJob,
  SegmentsJob,
  RowsJob,
  ColumnShape,
  JointShape,
  JointJob,
  TableSource,
  SumsLaunch,
  SumsJob,
] as const;

export type NativeControl = Sent<typeof Control>;
export type NativeSource = Sent<typeof Source>;
export type NativeLowering = Sent<typeof HostLowering>;
export type NativeShape = Sent<typeof CountShape>;
export type NativeJob = Sent<typeof CountJob>;
export type NativeSegmentsJob = Sent<typeof SegmentsJob>;
export type NativeJointShape = Sent<typeof JointShape>;
export type NativeJointJob = Sent<typeof JointJob>;
export type NativeSumsLaunch = Sent<typeof SumsLaunch>;
export type NativeSumsJob = Sent<typeof SumsJob>;

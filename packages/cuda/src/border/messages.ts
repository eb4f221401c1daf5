import { OWN_BYTES_MAX } from "../base/index.ts";
import { message, type Sent } from "./describe.ts";
import { Cut, LoweringNumbers, Plan, SampleType, WeightedPlan } from "./structs.ts";

/** Shared memory: the engine asks to stop, the device tells how many pixels are done. */
export const Control = message("Control", { stop: { shared: "i32" }, done: { shared: "i64" } });

/** Pixels `first` to `first + pixels` of a resident, of host memory or of a file. */
export const Source = message("Source", {
  first: "u64",
  pixels: "u64",
  pixelBytes: "u32",
  /** Pixels a row, and bytes from row to row. */
  width: "u64",
  rowPitch: "u64",
  /** Host memory that begins with pixel 0. */
  bytes: { optional: { array: ["u8"] } },
  /** Number of a resident, of the context; 0 for none. */
  resident: { optional: "u32" },
  fd: { optional: "i32", otherwise: -1 },
  /** Byte of the file where pixel 0 is. */
  offset: { optional: "u64" },
});

/** Which samples of a pixel are counted. */
const Wanted = message("Wanted", { type: SampleType, interleaved: "u32", channels: { few: 4 } });

/** A lowering whose arrays are still on the host; a kind has only its own ones. */
export const HostLowering = message("HostLowering", {
  numbers: LoweringNumbers,
  /**
   * table, and raw where the device sorts values into bins: 256 codes, 0 … bins-1 the bins, then underflow, overflow.
   */
  table: { optional: { array: ["u32"] } },
  /** ranks: ascending thresholds, low and (f64) high words. Rank: how many of them are at most a sample's key. */
  low: { optional: { array: ["u32"] } },
  high: { optional: { array: ["u32"] } },
  /** The same: least rank of each cell; none: that of cell i is i. */
  starts: { optional: { array: ["u32"] } },
});

export const Upload = message("Upload", { source: Source, control: Control });

export const ExtentJob = message("ExtentJob", { source: Source, wanted: Wanted, control: Control });

/** All of a count but its samples: handed over once. */
export const CountShape = message("CountShape", {
  wanted: Wanted,
  lowering: HostLowering,
  plan: Plan,
  algorithm: "text",
  /** The algorithm's own parameters, a struct that its folder describes. */
  own: { own: OWN_BYTES_MAX },
  /** Pixels of one launch, at most: no 32-bit partial can then overflow. */
  launchPixels: "u64",
});

/** What each count has of its own. */
export const CountJob = message("CountJob", {
  source: Source,
  control: Control,
  /** Find out how long the device takes? */
  timed: "bool",
});

/** The same of one that nobody can stop. */
export const CountNow = message("CountNow", { source: Source, timed: "bool" });

/** Counting segments of the samples: each has a row. */
export const SegmentsJob = message("SegmentsJob", {
  shape: CountShape,
  source: Source,
  /** Find out how long the device takes? */
  timed: "bool",
  /** Number of the source's first pixel among those of all samples. */
  at: "u64",
  /** Samples of a part: a longer segment is several of them, side by side. */
  partSamples: "u64",
  /** Segments `first` to `first + segments` are counted; what of them is no pixel of the source is not there. */
  first: "u64",
  segments: "u64",
  cut: Cut,
  /** Pixels of all samples, and of the longest segment. */
  pixels: "u64",
  longest: "u64",
  /** every: pixels of a segment. */
  every: { optional: "u64" },
  /** offsets: where each of these segments begins, and where the last one ends. */
  offsets: { optional: { array: ["f64"] } },
  /** tiles: pixels across and down, tiles of a row, pixels of the picture. */
  width: { optional: "u64" },
  height: { optional: "u64" },
  columns: { optional: "u64" },
  imageWidth: { optional: "u64" },
  imageHeight: { optional: "u64" },
  bins: "u32",
  /** Can samples be outside the bins? Then rows have underflow, overflow, NaN. */
  flow: "bool",
  /** A segment may have more samples than 32 bits hold: its counts have 64, and come home as doubles. */
  wide: "bool",
  /** Segments whose counts lie on the device at a time, on their way home. */
  range: "u64",
  /** Where counts and flow go, row by row; none: they stay on the device. */
  into: { optional: { written: ["u32", "f64"] } },
  flowInto: { optional: { written: ["u32", "f64"] } },
  control: Control,
});

/** Rows that stayed on the device, to be brought home. */
export const RowsJob = message("RowsJob", {
  /** Number of the rows, of this context, and which of them. */
  id: "u32",
  first: "u64",
  segments: "u64",
  into: { written: ["u32", "f64"] },
  flowInto: { optional: { written: ["u32", "f64"] } },
  control: Control,
});

/** A feature table on its way to the device. */
export const TableSource = message("TableSource", {
  /** Rows, one after the other. */
  bytes: { array: ["u8"] },
  rowBytes: "u64",
  control: Control,
});

/** Features of one plan that are added up in one launch. */
export const SumsLaunch = message("SumsLaunch", {
  algorithm: "text",
  plan: WeightedPlan,
  own: { own: OWN_BYTES_MAX },
  /** Their rows in the context's table. */
  rows: { array: ["u32"] },
  /** The value whose documents are passed over; NO_SKIP: none are. */
  skip: { array: ["u32"] },
});

/** Weights to be added up over some features of a table. */
export const SumsJob = message("SumsJob", {
  /** Number of the table, of this context. */
  table: "u32",
  /** Documents that are added up. */
  documents: "u64",
  weights: { array: ["i32", "f32"] },
  /** Of the same type; none: not asked for. */
  squares: { optional: { array: ["i32", "f32"] } },
  /** Which documents; none: all. */
  list: { optional: { array: ["u32"] } },
  launches: { list: SumsLaunch },
  /** The milliseconds of a launch are to be its kernel's alone, nothing loaded in them. */
  timed: "bool",
  control: Control,
});

/** Reading device memory, to see how fast it is. */
export const ReadJob = message("ReadJob", {
  device: "u32",
  /** Whole vectors. */
  bytes: "u64",
  rounds: "u32",
  /** Blocks a multiprocessor. */
  blocks: "u32",
});

/** Copying host memory to a device, to see how fast that is. */
export const CopyJob = message("CopyJob", {
  device: "u32",
  bytes: "u64",
  rounds: "u32",
  /** The host's memory is page-locked. */
  pinned: "bool",
});

/** Every message, each behind those that it is made of. */
export const MESSAGES = [
  Control,
  Source,
  Wanted,
  HostLowering,
  Upload,
  ExtentJob,
  CountShape,
  CountNow,
  CountJob,
  SegmentsJob,
  RowsJob,
  TableSource,
  SumsLaunch,
  SumsJob,
  ReadJob,
  CopyJob,
] as const;

export type NativeControl = Sent<typeof Control>;
export type NativeSource = Sent<typeof Source>;
export type NativeLowering = Sent<typeof HostLowering>;
export type NativeShape = Sent<typeof CountShape>;
export type NativeJob = Sent<typeof CountJob>;
export type NativeSegmentsJob = Sent<typeof SegmentsJob>;
export type NativeSumsLaunch = Sent<typeof SumsLaunch>;
export type NativeSumsJob = Sent<typeof SumsJob>;

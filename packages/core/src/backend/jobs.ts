import type { OrderedAxis } from "../axis/index.ts";
import type { Input, ResidentTable, SampleType, Segments } from "../input/index.ts";
import type { Lowering } from "../lowering/index.ts";
import type { CellsPlan, ChannelsPlan, SumsPlan } from "../plan/index.ts";

/** Describes a count except for its samples. The kind names the cells that samples find. */
export type Job = ChannelsJob | SegmentsJob | CellsJob | WeightedJob | SumsJob;

/**
 * The samples of a job find a bin in the table of their channel, a bin in the row of their segment, a cell of several
 * columns, or a bin in the table of their feature. Weights of cells are a kind of their own.
 */
export type Kind = Job["kind"];

/** The job of a kind. */
export type JobOf<K extends Kind> = { readonly kind: K } & {
  channels: ChannelsJob;
  segments: SegmentsJob;
  cells: CellsJob;
  weighted: WeightedJob;
  sums: SumsJob;
}[K];

/** Channels of interleaved samples over one axis. */
export interface CountJob {
  readonly type: SampleType;
  /** Interleaved samples per pixel. */
  readonly interleaved: number;
  /** The channels to count, each into its own table. */
  readonly channels: readonly number[];
  readonly axis: OrderedAxis;
  readonly lowering: Lowering;
  readonly plan: ChannelsPlan;
}

/** A count of channels, each into its own table. */
export interface ChannelsJob extends CountJob {
  readonly kind: "channels";
}

/** A count of one channel, each segment into its own row. The plan is one for segments. */
export interface SegmentsJob extends CountJob {
  readonly kind: "segments";
}

/** The samples of a count of segments. */
export interface SegmentsInputs {
  readonly input: Input;
  readonly segments: Segments;
  /** An array of segments * bins words that receives the counts of the bins. Absent: the device allocates one. */
  readonly into?: Uint32Array | undefined;
}

/** A column of a count of cells. */
export interface CellsColumn {
  readonly type: SampleType;
  /** Interleaved samples per pixel of the column's input. */
  readonly interleaved: number;
  /** The channel that is counted. */
  readonly channel: number;
  readonly axis: OrderedAxis;
  /** How samples find their codes. It is never `constant`. */
  readonly lowering: Lowering;
}

/** A count of the cells of several columns, with a mask or a list. */
export interface CellsJob {
  readonly kind: "cells";
  /** The columns, in the order of `plan.columns`. */
  readonly columns: readonly CellsColumn[];
  readonly plan: CellsPlan;
}

/** The samples of a count of cells. All columns have the same number of pixels. */
export interface CellsInputs {
  /** One input per column. Several columns may be channels of the same input, which is then the same object. */
  readonly columns: readonly Input[];
  /**
   * Samples of type u8, one channel: a byte per pixel, or a bit per pixel from the lowest bit of each byte on. A pixel
   * whose byte or bit is 0 is left out. Null: `plan.mask` is "none".
   */
  readonly mask: Input | null;
  /** Indices of the pixels to count, each below the number of pixels. Null: all pixels; `plan.listed` is false. */
  readonly where: Uint32Array | null;
  /** Number of samples that are counted or masked: the length of `where`, or the number of pixels. */
  readonly samples: number;
}

/** Exact sums of columns of weights in the cells of several columns of samples, with a mask, a list or segments. */
export interface WeightedJob {
  readonly kind: "weighted";
  /** The columns, in the order of `plan.columns`. */
  readonly columns: readonly CellsColumn[];
  readonly plan: CellsPlan;
  /** Whether the squares of the weights, each rounded to a double, are added up too. */
  readonly squares: boolean;
}

/** The samples of a weighted count of cells, and their weights. */
export interface WeightedInputs extends CellsInputs {
  /**
   * Columns of one weight per pixel, in the caller's memory, at least one. They may be infinite or NaN, which the device
   * reports. Each is added up separately, in one pass over the samples.
   */
  readonly weights: readonly (Float32Array | Float64Array)[];
  /** The segments, each with a row of cells, and the number of the first pixel among theirs. Null: one row. */
  readonly rows: { readonly segments: Segments; readonly first: number } | null;
}

/** Weighted sums over features of a table. */
export interface SumsJob {
  readonly kind: "sums";
  readonly table: ResidentTable;
  /** Groups of features. Each feature occurs at most once. */
  readonly groups: readonly FeatureGroup[];
  /** Number of documents that are added up. */
  readonly documents: number;
  /** Whether a list selects the documents. Otherwise all are added up. */
  readonly listed: boolean;
  /** Whether the squares of the weights are added up too. */
  readonly squares: boolean;
  /** Whether to report each feature's share of the time in which the features of its group ran together. */
  readonly timed: boolean;
}

/** Features with the same number of bins that are added up in the same way. */
export interface FeatureGroup {
  readonly plan: SumsPlan;
  readonly features: readonly number[];
  /** Per feature, the value whose documents the kernel skips, so that its cells stay 0; null: none. */
  readonly skip: readonly (number | null)[];
}

/** The weights that are added up. */
export interface SumsWeights {
  /**
   * One weight per document that is added up, in the order of `documents`, scaled and rounded: integers for the
   * precision "reproducible", floats below 1 for "fast". A kernel adds them without further scaling.
   */
  readonly weights: Int32Array | Float32Array;
  /** Their squares in the same form, with a scale of their own; null: not requested. */
  readonly squares: Int32Array | Float32Array | null;
  /** Ascending indices of the documents to add up, without duplicates; null: all. */
  readonly documents: Uint32Array | null;
}

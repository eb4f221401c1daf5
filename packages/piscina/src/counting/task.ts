import type { ChannelsPlan, Extent, SampleType } from "@polybin/core";
import type { BinSums, Lowering, Segments, SumsPlan, TableValues } from "@polybin/core/backend";
import type { Ordered } from "../input/index.ts";
import type { CellWork } from "../kernels/index.ts";
import type { Visible } from "../platform/index.ts";
import type { CellLayout } from "./cell-memory.ts";
import type { CellSources } from "./cell-reader.ts";
import type { Control } from "./control.ts";
import type { Steps } from "./steps.ts";

/** Work of a thread. The threads of one call share a control, and take steps of the call in turn. */
export type Task = ChannelsTask | ExtentTask | SegmentsTask | CellsTask | SumsTask;

/** Counts channels, each in a table. */
export interface ChannelsTask {
  readonly kind: "channels";
  readonly at: Ordered;
  readonly steps: Steps;
  readonly work: ChannelsWork;
  /** One table per channel that this worker shares with others through atomics. Null: it has its own tables. */
  readonly tables: readonly Int32Array[] | null;
}

/** The counts that a call takes of an input, each channel in a table or each segment in a row. */
export interface ChannelsWork {
  readonly plan: ChannelsPlan;
  readonly interleaved: number;
  readonly channels: readonly number[];
  /** Null if the kernel needs none. */
  readonly lowering: Lowering | null;
  /** For a kernel that counts samples in place: its set-up for the lowering. Null: it counts codes. */
  readonly setup: { readonly id: number } | null;
}

/** Finds the finite minimum and maximum over channels. */
export interface ExtentTask {
  readonly kind: "extent";
  readonly at: Ordered;
  readonly steps: Steps;
  readonly type: SampleType;
  readonly channels: readonly number[];
}

/** Counts one channel, each segment in a row. The pixels of the call are those of the segments' order. */
export interface SegmentsTask {
  readonly kind: "segments";
  readonly at: Ordered;
  readonly steps: Steps;
  readonly work: ChannelsWork;
  /** Offsets lie in shared memory. */
  readonly segments: Segments;
  readonly rows: SharedRows;
}

/** A call's rows in shared memory. They have 64 bits if a segment has 2^32 samples or more. */
export interface SharedRows {
  /** segments x bins */
  readonly counts: Uint32Array | BigUint64Array;
  /** segments x 3. Null if every sample has a bin. */
  readonly flow: Uint32Array | BigUint64Array | null;
}

/** Counts the cells of several columns. The threads of one call share its memory. */
export interface CellsTask {
  readonly kind: "cells";
  readonly work: CellWork;
  readonly layout: CellLayout;
  readonly memory: Visible;
  /** The slot that the thread copies samples to. */
  readonly slot: number;
  /** The samples. Null: each step's are in a slot of their own. */
  readonly sources: CellSources | null;
  readonly steps: Steps;
}

/** Adds up weights. The threads take blocks of features and documents in turn. All arrays are in shared memory. */
export interface SumsTask {
  readonly kind: "sums";
  readonly control: Control;
  /** The worker's number. */
  readonly worker: number;
  readonly table: TableValues;
  readonly weights: Int32Array | Float32Array;
  readonly squares: Int32Array | Float32Array | null;
  readonly documents: Uint32Array | null;
  readonly groups: readonly SumsGroup[];
}

/** Features with the same plan. */
export interface SumsGroup {
  readonly plan: SumsPlan;
  readonly features: readonly number[];
  readonly skip: readonly (number | null)[];
  /**
   * Tables that all workers add to, `sharedSumsAt` of each feature. They are one piece of memory, because a message
   * with a piece per feature can take seconds. Null: workers have their own tables.
   */
  readonly shared: Int32Array | null;
}

/** A task for a worker. */
export interface Message {
  readonly task: Task;
  /** The worker's place in a call that ends without it if it has not begun. Null: the call waits for it. */
  readonly place: { readonly control: Control; readonly number: number } | null;
}

/** A worker's answer, null if the call did not need it any more, or what is wrong with the input. */
export type Reply = { readonly answer: Answer | null } | { readonly problem: string };

/** The result of a task. */
export type Answer =
  | { readonly kind: "channels"; readonly channels: readonly ChannelResult[] }
  | { readonly kind: "extent"; readonly extent: Extent }
  /** The rows are in shared memory. `wrong` is a part of a segment with a wrong number of counts. */
  | { readonly kind: "segments"; readonly wrong: Miscount | null }
  /** The counts are in the call's memory. */
  | { readonly kind: "cells"; readonly masked: number }
  | SumsAnswer;

/** The counts of a channel. */
export interface ChannelResult {
  /** Null if the counts are in a table that other workers also use. */
  readonly cells: Float64Array | null;
  /** Underflow, overflow, NaN. */
  readonly flow: Float64Array;
}

/** A part of a segment, the number of counted samples, and the number of samples. */
export interface Miscount {
  readonly segment: number;
  readonly seen: number;
  readonly pixels: number;
}

/** The sums that a worker added up in its own tables, by the feature's place among all groups. */
export interface SumsAnswer {
  readonly kind: "sums";
  readonly sums: ReadonlyMap<number, BinSums>;
  /** Milliseconds of work for each feature that the worker took a block of, without the transfer to the worker. */
  readonly ms: ReadonlyMap<number, number>;
}

import type { Extent, Plan, SampleType } from "@polybin/core";
import type { BinSums, Lowering, Segments, TableValues, WeightedPlan } from "@polybin/core/backend";
import type { Geometry } from "./chunks.ts";

/** Where a worker finds its samples. */
export type Source = { readonly geometry: Geometry } & (
  | { readonly kind: "memory" /** Over shared memory. */; readonly bytes: Uint8Array }
  | {
      readonly kind: "file";
      /** For messages. */
      readonly path: string;
      readonly fd: number /** Bytes before the first sample. */;
      readonly offset: number;
    }
);

/** What a worker is asked to do. Workers of one job share `control` and take chunks from it in turn. */
export interface Task {
  readonly source: Source;
  readonly type: SampleType;
  /** Interleaved channels, and those of them that are wanted. */
  readonly interleaved: number;
  readonly channels: readonly number[];
  /** Chunks [from, to) of the source are this launch's; `to` may lie past the last. */
  readonly chunks: { readonly from: number; readonly to: number };
  readonly control: Control;
  /** What to do with a chunk. */
  readonly work: CountWork | ExtentWork;
}

export interface CountWork {
  readonly kind: "count";
  readonly plan: Plan;
  readonly lowering: Lowering;
  /** A table a channel that this worker shares with others through atomics; null: tables of its own. */
  readonly tables: readonly Int32Array[] | null;
}

export interface ExtentWork {
  readonly kind: "extent";
}

/** Segments: workers of one job share `control` and take windows of the segments' order from it in turn. */
export interface SegmentsTask {
  readonly source: Source;
  /** The first pixel of the order that `source` has, one behind the other; null: `source` has the samples as they lie. */
  readonly base: number | null;
  readonly interleaved: number;
  readonly channel: number;
  readonly plan: Plan;
  readonly lowering: Lowering;
  /** Offsets lie in shared memory. */
  readonly segments: Segments;
  /** Windows [from, to) are this task's; each is so many pixels. */
  readonly windows: { readonly from: number; readonly to: number; readonly pixels: number };
  readonly rows: SharedRows;
  readonly control: Control;
}

/** A job's result in shared memory; 64 bits where a segment has 2^32 samples or more. */
export interface SharedRows {
  /** segments x bins */
  readonly counts: Uint32Array | BigUint64Array;
  /** segments x 3; null where no sample can be in no bin. */
  readonly flow: Uint32Array | BigUint64Array | null;
}

/** Weighted sums: workers of one job share `control` and take blocks from it in turn. All arrays are in shared memory. */
export interface SumsTask {
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
  readonly plan: WeightedPlan;
  readonly features: readonly number[];
  readonly skip: readonly (number | null)[];
  /**
   * Tables that all workers add to, `sharedSumsAt` of each feature: one piece of memory, since a message with one for each
   * of many features takes seconds. Null: workers have their own.
   */
  readonly shared: Int32Array | null;
}

/** What a worker added up in tables of its own: sums of features, by their place among all of the groups. */
export interface SumsAnswer {
  readonly kind: "sums";
  readonly sums: ReadonlyMap<number, BinSums>;
  /** Milliseconds that it took, without its way to the worker. */
  readonly ms: number;
}

/** What a worker answers. Its own tables come as 32-bit counts, one a channel; none where they are shared. */
export type Answer =
  | SumsAnswer
  | {
      readonly kind: "count";
      readonly tables: readonly Uint32Array[];
      readonly flow: readonly Float64Array[];
    }
  | { readonly kind: "extent"; readonly extent: Extent }
  /** The rows are in shared memory; `wrong`: a part of a segment that was not counted as a whole. */
  | { readonly kind: "segments"; readonly wrong: Miscount | null }
  | { readonly kind: "input-error"; readonly message: string };

/** A part of a segment, how many samples were counted, and how many it has. */
export interface Miscount {
  readonly segment: number;
  readonly seen: number;
  readonly pixels: number;
}

/**
 * Shared memory by which the engine and the workers of a job talk while it runs.
 *
 *   int32 [ next chunk | stop ]   int64 [ pixels done ]
 */
export interface Control {
  readonly words: Int32Array;
  readonly done: BigInt64Array;
}

const NEXT = 0;
const STOP = 1;

export function newControl(): Control {
  const buffer = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT);
  return {
    words: new Int32Array(buffer, 0, 2),
    done: new BigInt64Array(buffer, BigInt64Array.BYTES_PER_ELEMENT, 1),
  };
}

/** The next chunk, counted from 0; each number is handed out once. */
export function takeNext({ words }: Control): number {
  return Atomics.add(words, NEXT, 1);
}

/** Tells all workers of the job to take no further chunk. */
export function stop({ words }: Control): void {
  Atomics.store(words, STOP, 1);
}

export function isStopped({ words }: Control): boolean {
  return Atomics.load(words, STOP) === 1;
}

export function addDone({ done }: Control, pixels: number): void {
  Atomics.add(done, 0, BigInt(pixels));
}

export function pixelsDone({ done }: Control): number {
  return Number(Atomics.load(done, 0));
}

import type { ChannelsPlan, Extent, SampleType } from "@polybin/core";
import type { BinSums, Lowering, Segments, SumsPlan, TableValues } from "@polybin/core/backend";
import type { Visible } from "../platform/index.ts";
import type { Geometry } from "./chunks.ts";

/** Where a worker finds its samples. */
export type Source = { readonly geometry: Geometry } & (
  | {
      readonly kind: "memory";
      /** A view of shared memory. */
      readonly bytes: Uint8Array;
      /** The same memory as WebAssembly sees it. Null or missing if WebAssembly cannot see it. */
      readonly visible?: Visible | null;
    }
  | {
      readonly kind: "file";
      /** The path for messages. */
      readonly path: string;
      readonly fd: number /** Bytes before the first sample. */;
      readonly offset: number;
    }
);

/** A worker's task. The workers of one job share `control` and take chunks from it in turn. */
export interface Task {
  readonly source: Source;
  readonly type: SampleType;
  /** Interleaved channels, and the wanted ones among them. */
  readonly interleaved: number;
  readonly channels: readonly number[];
  /** The chunks [from, to) of the source belong to this launch. `to` may lie past the last one. */
  readonly chunks: { readonly from: number; readonly to: number };
  readonly control: Control;
  /** The work for each chunk. */
  readonly work: CountWork | ExtentWork;
}

export interface CountWork {
  readonly kind: "count";
  readonly plan: ChannelsPlan;
  /** Null if the kernel needs none. */
  readonly lowering: Lowering | null;
  /** For a kernel that counts samples in place: its set-up for the lowering, with a number. Null: it counts codes. */
  readonly setup: { readonly id: number; readonly of: object } | null;
  /** One table per channel that this worker shares with others through atomics. Null: it has its own tables. */
  readonly tables: readonly Int32Array[] | null;
}

export interface ExtentWork {
  readonly kind: "extent";
}

/** A task over segments. The workers of one job share `control` and take windows of the segments' order in turn. */
export interface SegmentsTask {
  readonly source: Source;
  /**
   * The first pixel of the order in `source`, which has consecutive pixels. Null: `source` has the samples in place.
   */
  readonly base: number | null;
  readonly interleaved: number;
  readonly channel: number;
  readonly plan: ChannelsPlan;
  readonly lowering: Lowering;
  /** Offsets lie in shared memory. */
  readonly segments: Segments;
  /** The windows [from, to) belong to this task. Each has `pixels` pixels. */
  readonly windows: { readonly from: number; readonly to: number; readonly pixels: number };
  readonly rows: SharedRows;
  readonly control: Control;
}

/** A job's result in shared memory. It has 64 bits if a segment has 2^32 samples or more. */
export interface SharedRows {
  /** segments x bins */
  readonly counts: Uint32Array | BigUint64Array;
  /** segments x 3. Null if every sample has a bin. */
  readonly flow: Uint32Array | BigUint64Array | null;
}

/**
 * A task of weighted sums. The workers of one job share `control` and take blocks from it in turn. All arrays are in
 * shared memory.
 */
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
  readonly plan: SumsPlan;
  readonly features: readonly number[];
  readonly skip: readonly (number | null)[];
  /**
   * Tables that all workers add to, `sharedSumsAt` of each feature. They are one piece of memory, because a message
   * with a piece per feature can take seconds. Null: workers have their own tables.
   */
  readonly shared: Int32Array | null;
}

/** The sums that a worker added up in its own tables, by the feature's place among all groups. */
export interface SumsAnswer {
  readonly kind: "sums";
  readonly sums: ReadonlyMap<number, BinSums>;
  /** Milliseconds of work for each feature that the worker took a block of, without the transfer to the worker. */
  readonly ms: ReadonlyMap<number, number>;
}

/** A worker's answer. It has its own tables as counts, one per channel, and none if the tables are shared. */
export type Answer =
  | SumsAnswer
  | {
      readonly kind: "count";
      readonly tables: readonly Float64Array[];
      readonly flow: readonly Float64Array[];
      /** Milliseconds of work, without the transfer to the worker. */
      readonly ms: number;
    }
  | { readonly kind: "extent"; readonly extent: Extent }
  /** The counts of cells are in the call's memory. */
  | { readonly kind: "cells"; readonly masked: number; readonly ms: number }
  /** The rows are in shared memory. `wrong` is a part of a segment with a wrong number of counts. */
  | { readonly kind: "segments"; readonly wrong: Miscount | null }
  | { readonly kind: "input-error"; readonly message: string };

/** A part of a segment, the number of counted samples, and the number of samples. */
export interface Miscount {
  readonly segment: number;
  readonly seen: number;
  readonly pixels: number;
}

/**
 * Shared memory that connects the engine and the workers of a job while it runs.
 *
 *
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

/** Takes the number of the next chunk, from 0 on. Each number is returned once. */
export function takeNext({ words }: Control): number {
  return Atomics.add(words, NEXT, 1);
}

/** Makes all workers of the job take no further chunk. */
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

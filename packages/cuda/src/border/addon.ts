import type { Sent } from "./describe.ts";
import type {
  CopyJob,
  CountJob,
  CountNow,
  CountShape,
  ExtentJob,
  ReadJob,
  RowsJob,
  SegmentsJob,
  SumsJob,
  TableSource,
  Upload,
} from "./messages.ts";

/**
 * What the addon exports: native/boundary/addon.cc. What it is handed it checks (native/run/checks.h): ERR_INPUT for memory
 * that is gone, ERR_INTERNAL for what only a fault of this package can hand it.
 */
export interface Native {
  /** The devices, or why there are none. The first call of a process starts CUDA, off the main thread. */
  devices(): Promise<NativeDevice[] | string>;
  /** Bytes of a device's memory. */
  memory(device: number): Promise<DeviceMemory>;
  /** Page-locked host memory. */
  pinned(bytes: number): ArrayBuffer;
  /** Reads device memory with every variant of the reading kernel; `blocks` a multiprocessor. */
  readRounds(job: Sent<typeof ReadJob>): Promise<ReadRow[]>;
  /** Copies host memory to a device; milliseconds of each round. */
  copyRounds(job: Sent<typeof CopyJob>): Promise<number[]>;
  readonly Context: new (device: number, exactTimings: boolean) => Context;
}

/** What a device's memory comes to, in bytes. */
export interface DeviceMemory {
  /** What no process has taken. */
  readonly free: number;
  readonly total: number;
}

/** One way to read device memory, and how long it took. */
export interface ReadRow {
  /** How it loads, and the loads a thread has in flight. */
  readonly variant: string;
  /** Blocks a multiprocessor. */
  readonly blocks: number;
  /** Milliseconds of each round on the device. */
  readonly ms: readonly number[];
}

export interface NativeDevice {
  readonly name: string;
  readonly units: number;
  readonly warp: number;
  readonly sharedBytes: number;
  readonly blockThreads: number;
  readonly unitThreads: number;
  readonly unitBlocks: number;
  readonly unitSharedBytes: number;
  readonly reservedBytes: number;
  readonly memoryBytes: number;
  readonly capability: string;
}

/** A count that was checked, with its lookup on the device: a context's own. */
export type NativePrepared = { readonly prepared: unique symbol };

/** Sums of a prepared count's counts: a context's own. */
export type NativeTotal = { readonly total: unique symbol };

/** What lies ready to be counted: a resident's number, or few dense bytes. */
export type NativeReady = number | Uint8Array;

/**
 * One engine's hold on a device. Most calls run on a thread of Node's pool; Lane has them wait their turn. Counts have two
 * threads of the context's own: one counts piece by piece, the other watches for what lay ready and is launched at once,
 * any number of calls at a time.
 */
export interface Context {
  upload(job: Sent<typeof Upload>): Promise<number>;
  free(id: number): Promise<void>;
  segments(job: Sent<typeof SegmentsJob>): Promise<NativeSegments>;
  readRows(job: Sent<typeof RowsJob>): Promise<void>;
  freeRows(id: number): Promise<void>;
  /** Asks no device. */
  prepare(shape: Sent<typeof CountShape>): NativePrepared;
  /** Piece by piece, on a thread of the context's own; or timed. Without a control nobody can stop it. */
  count(
    job: Sent<typeof CountJob> | Sent<typeof CountNow>,
    prepared: NativePrepared,
    total?: NativeTotal,
  ): Promise<NativeCounts>;
  /** For each channel its cells, then underflow, overflow, NaN. */
  launch(prepared: NativePrepared, of: NativeReady, pixels: number): Promise<Float64Array>;
  /** Each by itself, the counts of one behind those of the other; all or none. */
  launchAll(
    prepared: NativePrepared,
    of: readonly NativeReady[],
    pixels: readonly number[],
  ): Promise<Float64Array>;
  /** The same as `launch` before it returns, into an array that is long enough. */
  countNow(prepared: NativePrepared, of: NativeReady, pixels: number, into: Float64Array): void;
  /** The same of any length: piece by piece. */
  countSource(
    prepared: NativePrepared,
    job: Sent<typeof CountNow>,
    into: Float64Array,
  ): Pick<NativeCounts, "kernelMs" | "uploadMs">;
  /** Settles calls of `count`, `launch`, `launchAll`, `add` and `take` that are over. Are others under way? */
  look(): boolean;
  /** Counts that stay on the device; `count` with a total adds to it, too, and resolves to none. */
  total(prepared: NativePrepared): NativeTotal;
  add(total: NativeTotal, prepared: NativePrepared, of: NativeReady, pixels: number): Promise<unknown>;
  /** They are zeroes then. */
  take(total: NativeTotal, prepared: NativePrepared): Promise<Float64Array>;
  freeTotal(total: NativeTotal): Promise<void>;
  extent(job: Sent<typeof ExtentJob>): Promise<{ min: bigint; max: bigint }>;
  uploadTable(job: Sent<typeof TableSource>): Promise<number>;
  sums(job: Sent<typeof SumsJob>): Promise<NativeSums>;
  close(): Promise<void>;
}

export interface NativeCounts {
  /** For each channel its cells, then underflow, overflow, NaN. */
  readonly counts: Float64Array;
  readonly kernelMs: number;
  readonly uploadMs: number;
}

export interface NativeSegments {
  /** Number of the rows that stay on the device; 0: none do. */
  readonly id: number;
  readonly kernelMs: number;
  readonly uploadMs: number;
}

export interface NativeSums {
  /** For each feature of each launch `bins` counts, if the plan has them, sums and, if asked for, squares. */
  readonly totals: Float64Array;
  /** Milliseconds of each launch. */
  readonly ms: readonly number[];
  readonly kernelMs: number;
  readonly uploadMs: number;
}

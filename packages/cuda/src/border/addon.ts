import type { Sent } from "./describe.ts";
import type {
  CountJob,
  CountShape,
  Download,
  ExtentJob,
  JointJob,
  RowsJob,
  SegmentsJob,
  SumsJob,
  TableSource,
  Upload,
} from "./messages.ts";

/**
 * The exports of the addon (native/boundary/addon.cc). It checks its arguments (native/run/checks.h): it throws
 * ERR_INPUT for memory that is gone, and ERR_INTERNAL for arguments that only a bug in this package can pass.
 */
export interface Native {
  /** Returns the devices, or why there are none. The first call of a process starts CUDA, outside the main thread. */
  devices(): Promise<NativeDevice[] | string>;
  /** Returns the bytes of a device's memory. */
  memory(device: number): Promise<DeviceMemory>;
  /** Allocates page-locked host memory. */
  pinned(bytes: number): ArrayBuffer;
  readonly Context: new (device: number, exactTimings: boolean) => Context;
}

/** A device's memory, in bytes. */
export interface DeviceMemory {
  /** Memory that no process has allocated. */
  readonly free: number;
  readonly total: number;
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

/** A checked count with its lookup on the device. It belongs to a context. */
export type NativePrepared = { readonly prepared: unique symbol };

/** Sums of a prepared count's counts. They belong to a context. */
export type NativeTotal = { readonly total: unique symbol };

/** Samples that can be counted at once: a resident's number, or a few dense bytes. */
export type NativeReady = number | Uint8Array;

/**
 * One engine's hold on a device. Most calls run on a thread of Node's pool, and Lane makes them wait for their turn.
 * Counts have two threads of the context: one counts piece by piece. The other watches calls that are launched at once,
 * any number of them at a time.
 */
export interface Context {
  upload(job: Sent<typeof Upload>): Promise<number>;
  download(job: Sent<typeof Download>): Promise<void>;
  /** Frees samples, a table or rows. */
  free(id: number): Promise<void>;
  segments(job: Sent<typeof SegmentsJob>): Promise<NativeSegments>;
  readRows(job: Sent<typeof RowsJob>): Promise<void>;
  /** Counts the cells of several columns. */
  joint(job: Sent<typeof JointJob>): Promise<NativeJoint>;
  /** Prepares a count without a call to the device. */
  prepare(shape: Sent<typeof CountShape>): NativePrepared;
  /** Counts piece by piece on a thread of the context, or with times. */
  count(job: Sent<typeof CountJob>, prepared: NativePrepared, total?: NativeTotal): Promise<NativeCounts>;
  /**
   * Counts each input separately. Returns the counts of each channel (its cells, then underflow, overflow, NaN) of each
   * input in order: all or none. With a total, the counts are added to it and none are returned.
   */
  launch(
    prepared: NativePrepared,
    of: NativeReady | readonly NativeReady[],
    pixels: number | readonly number[],
    total?: NativeTotal,
  ): Promise<Float64Array>;
  /** Does the same as `launch`, but synchronously and into an array of sufficient length. */
  countNow(prepared: NativePrepared, of: NativeReady, pixels: number, into: Float64Array): void;
  /** Does the same for any length, piece by piece. */
  countSource(prepared: NativePrepared, job: Sent<typeof CountJob>, into: Float64Array): NativeTimes;
  /** Settles finished calls of `count`, `launch` and `take`. Returns whether others are still running. */
  look(): boolean;
  /** Creates counts that stay on the device. `count` adds to them as `launch` does. */
  total(prepared: NativePrepared): NativeTotal;
  /** Returns the counts and sets them to zero. */
  take(total: NativeTotal, prepared: NativePrepared): Promise<Float64Array>;
  freeTotal(total: NativeTotal): Promise<void>;
  extent(job: Sent<typeof ExtentJob>): Promise<{ min: bigint; max: bigint }>;
  uploadTable(job: Sent<typeof TableSource>): Promise<number>;
  sums(job: Sent<typeof SumsJob>): Promise<NativeSums>;
  close(): Promise<void>;
}

/** The durations of a call on one device. */
export interface NativeTimes {
  readonly kernelMs: number;
  readonly uploadMs: number;
}

export interface NativeCounts extends NativeTimes {
  /** The counts of each channel: its cells, then underflow, overflow, NaN. */
  readonly counts: Float64Array;
}

export interface NativeSegments extends NativeTimes {
  /** Number of the rows that stay on the device, or 0 if none do. */
  readonly id: number;
}

export interface NativeJoint extends NativeTimes {
  /** Number of samples that the mask left out. */
  readonly masked: number;
}

export interface NativeSums extends NativeTimes {
  /** For each feature of each launch: `bins` counts if the plan has them, the sums, and the squares if requested. */
  readonly totals: Float64Array;
  /** For a timed job, the share of each feature of each launch in the milliseconds of its launch. Otherwise empty. */
  readonly ms: readonly number[];
}

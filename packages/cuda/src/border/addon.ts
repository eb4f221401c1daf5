import type { Sent } from "./describe.ts";
import type {
  CopyJob,
  CountJob,
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

/** One engine's hold on a device. Each call runs on a thread of Node's pool; Lane has them wait their turn. */
export interface Context {
  upload(job: Sent<typeof Upload>): Promise<number>;
  free(id: number): Promise<void>;
  count(job: Sent<typeof CountJob>): Promise<NativeCounts>;
  segments(job: Sent<typeof SegmentsJob>): Promise<NativeSegments>;
  readRows(job: Sent<typeof RowsJob>): Promise<void>;
  freeRows(id: number): Promise<void>;
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

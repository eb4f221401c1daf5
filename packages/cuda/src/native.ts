import type { Plan } from "@polybin/core";
import type { LaneTables, WeightedPlan } from "@polybin/core/backend";

/**
 * What the addon exports: native/boundary/addon.cc. What it is handed it checks (native/checks.h): ERR_INPUT for memory
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
  readRounds(job: {
    readonly device: number;
    readonly bytes: number;
    readonly rounds: number;
    readonly blocks: number;
  }): Promise<ReadRow[]>;
  /** Copies host memory to a device; milliseconds of each round. */
  copyRounds(job: {
    readonly device: number;
    readonly bytes: number;
    readonly rounds: number;
    readonly pinned: boolean;
  }): Promise<number[]>;
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
  upload(job: { readonly source: NativeSource; readonly control: NativeControl }): Promise<number>;
  free(id: number): Promise<void>;
  count(job: NativeJob): Promise<{ counts: Float64Array; kernelMs: number; uploadMs: number }>;
  extent(job: {
    readonly source: NativeSource;
    readonly wanted: NativeWanted;
    readonly control: NativeControl;
  }): Promise<{ min: bigint; max: bigint }>;
  uploadTable(job: {
    /** Rows, one after the other. */
    readonly bytes: Uint8Array;
    readonly rowBytes: number;
    readonly control: NativeControl;
  }): Promise<number>;
  sums(job: NativeSumsJob): Promise<NativeSums>;
  close(): Promise<void>;
}

/** Weights to be added up over some features of a table. */
export interface NativeSumsJob {
  /** Number of the table, of this context. */
  readonly table: number;
  /** Documents that are added up. */
  readonly documents: number;
  readonly weights: Int32Array | Float32Array;
  readonly squares: Int32Array | Float32Array | null;
  /** Which documents; null: all. */
  readonly list: Uint32Array | null;
  readonly launches: readonly NativeSumsLaunch[];
  /** The milliseconds of a launch are to be its kernel's alone, nothing loaded in them. */
  readonly timed: boolean;
  readonly control: NativeControl;
}

/** Features of one plan that are added up in one launch. */
export interface NativeSumsLaunch {
  readonly algorithm: string;
  readonly plan: NativeWeightedPlan;
  /** Their rows in the context's table. */
  readonly rows: Uint32Array;
  /** The value whose documents are passed over; NO_SKIP: none are. */
  readonly skip: Uint32Array;
}

export interface NativeWeightedPlan
  extends Pick<
    WeightedPlan,
    | "counts"
    | "squares"
    | "bins"
    | "binsPerPass"
    | "passes"
    | "threads"
    | "replicas"
    | "featuresPerBlock"
    | "sharedBytes"
    | "segments"
    | "segmentDocuments"
  > {
  /** Index into core's value types. */
  readonly type: number;
  /** The weights are floats. */
  readonly fast: boolean;
  /** Sums of 64 bits. */
  readonly wide: boolean;
  /** 0: never. */
  readonly flushDocuments: number;
  /** 0: the algorithm has none. */
  readonly unroll: number;
  readonly buffer: number;
}

export interface NativeSums {
  /** For each feature of each launch `bins` counts, if the plan has them, sums and, if asked for, squares. */
  readonly totals: Float64Array;
  /** Milliseconds of each launch. */
  readonly ms: readonly number[];
  readonly kernelMs: number;
  readonly uploadMs: number;
}

/** Pixels `first` to `first + pixels` of a resident, of host memory or of a file. */
export interface NativeSource {
  readonly first: number;
  readonly pixels: number;
  readonly pixelBytes: number;
  /** Pixels a row, and bytes from row to row. */
  readonly width: number;
  readonly rowPitch: number;
  /** Host memory that begins with pixel 0. */
  readonly bytes?: Uint8Array;
  readonly resident?: number;
  readonly fd?: number;
  /** Byte of the file where pixel 0 is. */
  readonly offset?: number;
}

export interface NativeWanted {
  /** Index into core's sample types. */
  readonly type: number;
  readonly interleaved: number;
  readonly channels: readonly number[];
}

/** Shared memory: the engine asks to stop, the device tells how many pixels are done. */
export interface NativeControl {
  readonly stop: Int32Array;
  readonly done: BigInt64Array;
}

export interface NativePlan
  extends LaneTables,
    Pick<Plan, "cells" | "cellsPerPass" | "passes" | "threads" | "blocks" | "replicas" | "sharedBytes"> {
  /** 0: no bound. */
  readonly wordsPerThread: number;
  readonly k: number;
  readonly tag: boolean;
  readonly periodic: boolean;
  readonly layout: number;
}

export interface NativeJob {
  readonly source: NativeSource;
  readonly wanted: NativeWanted;
  readonly lowering: Readonly<Record<string, unknown>>;
  readonly plan: NativePlan;
  readonly algorithm: string;
  readonly launchPixels: number;
  readonly control: NativeControl;
}

import type { LaneTables, Plan } from "@polybin/core";

/** What the addon exports: native/addon.cc. */
export interface Native {
  /** The devices, or why there are none. */
  devices(): NativeDevice[] | string;
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
  close(): Promise<void>;
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

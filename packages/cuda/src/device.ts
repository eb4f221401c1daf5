import type { Extent, Resident } from "@polybin/core";
import {
  type Device,
  type DeviceInput,
  type DeviceLimits,
  type Input,
  type JobOf,
  type Kind,
  type LookupSize,
  type Lowering,
  lookupSizeOf,
  type Plan,
  type PreparedOf,
  type Preparers,
  preparedBy,
  type ResidentTable,
  type RunOptions,
  type Samples,
  type TableValues,
} from "@polybin/core/backend";
import { CALLS_AT_ONCE } from "./base/index.ts";
import type { Context } from "./border/index.ts";
import { coded } from "./platform/index.ts";
import {
  CudaCounter,
  cells,
  download,
  extent,
  Lanes,
  refusesSums,
  segments,
  sums,
  upload,
  uploadTable,
} from "./run/index.ts";

/** Optional means of a device, in addition to its contexts. */
export interface DeviceMeans {
  /** Whether to measure the time of every call. */
  readonly timed?: boolean;
  /** Allocates page-locked memory with arbitrary content. */
  readonly pinned?: (bytes: number) => ArrayBuffer;
}

function zeroed(pinned: (bytes: number) => ArrayBuffer, bytes: number): ArrayBuffer {
  try {
    const memory = pinned(bytes);
    new Uint8Array(memory).fill(0);
    return memory;
  } catch (error) {
    throw coded(error);
  }
}

/** CUDA devices as an engine uses them: one, or several that each count a part of the samples. */
export class CudaDevice implements Device {
  readonly name: string;
  readonly limits: DeviceLimits;
  readonly readsFiles = true;
  readonly kinds: readonly Kind[] = ["channels", "segments", "cells", "sums"];
  readonly callsAtOnce: number = CALLS_AT_ONCE;
  readonly #lanes: Lanes;
  readonly #preparers: Preparers = {
    channels: (job) => new CudaCounter(this.#lanes, job),
    segments: (job) => segments(this.#lanes, job),
    cells: (job) => cells(this.#lanes, job),
    sums: (job) => sums(this.#lanes, job),
  };

  /** Allocates page-locked memory. Samples in it are copied to the device at the bus's full speed. */
  readonly allocate?: (bytes: number) => ArrayBuffer;

  /** `limits` are those of each device. */
  constructor(
    name: string,
    limits: DeviceLimits,
    contexts: readonly Context[],
    { timed = false, pinned }: DeviceMeans = {},
  ) {
    this.name = name;
    this.limits = limits;
    this.#lanes = new Lanes(contexts, timed);
    if (pinned !== undefined) this.allocate = (bytes) => zeroed(pinned, bytes);
  }

  lookupSizeOf(lowering: Lowering): LookupSize | null {
    return lookupSizeOf(lowering, this.limits);
  }

  refuses(plan: Plan): string | null {
    return plan.kind === "sums" ? refusesSums(plan) : null;
  }

  prepare<K extends Kind>(job: JobOf<K>): PreparedOf<K> {
    return preparedBy(this.#preparers, job);
  }

  upload(samples: Samples, options: RunOptions): Promise<Resident> {
    return upload(this.#lanes, { kind: "samples", samples }, samples, options);
  }

  download(input: DeviceInput, options: RunOptions): Promise<Samples> {
    return download(this.#lanes, input, options);
  }

  uploadTable(values: TableValues, options: RunOptions): Promise<ResidentTable> {
    return uploadTable(this.#lanes, values, options);
  }

  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    return extent(this.#lanes, input, channels, options);
  }

  close(): Promise<void> {
    return this.#lanes.close();
  }
}

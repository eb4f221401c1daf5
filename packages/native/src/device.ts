import type { Extent, Resident } from "@polybin/core";
import {
  type Device,
  type DeviceLimits,
  HostResident,
  type Input,
  type JobOf,
  type Kind,
  type Plan,
  type PreparedOf,
  type Preparers,
  preparedBy,
  type RunOptions,
  type Samples,
} from "@polybin/core/backend";
import type { Native } from "./border/index.ts";
import { deviceLimits, SYNC_BYTES, SYNC_BYTES_MOST } from "./platform/index.ts";
import { extentOn, prepareCells, prepareChannels, prepareSegments } from "./run/index.ts";

/** The processor as an engine uses it: kernels on the threads of this process, which read its memory in place. */
export class NativeDevice implements Device {
  readonly name: string;
  readonly limits: DeviceLimits;
  readonly readsFiles = true;
  readonly kinds: readonly Kind[] = ["channels", "segments", "cells"];
  readonly syncBytes: number;
  readonly #native: Native;
  readonly #threads: number;
  readonly #preparers: Preparers;

  constructor(name: string, native: Native, threads: number) {
    this.name = name;
    this.limits = deviceLimits(threads);
    this.#native = native;
    this.#threads = threads;
    this.syncBytes = Math.min(SYNC_BYTES_MOST, SYNC_BYTES * threads);
    this.#preparers = {
      channels: (job) => prepareChannels(native, threads, job),
      segments: (job) => prepareSegments(native, threads, job),
      cells: (job) => prepareCells(native, threads, job),
    };
  }

  /** Copies samples, because a resident keeps its values whatever becomes of the array. */
  async upload(samples: Samples): Promise<Resident> {
    return new HostResident({ ...samples, bytes: samples.bytes.slice() });
  }

  prepare<K extends Kind>(job: JobOf<K>): PreparedOf<K> {
    return preparedBy(this.#preparers, job);
  }

  refuses(plan: Plan): string | null {
    if (plan.kind !== "cells" || !plan.staged) return null;
    return `${plan.algorithm} counts one column on the CPU: use fused for several, for groups and for masks`;
  }

  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    return extentOn(this.#native, this.#threads, input, channels, options);
  }

  async close(): Promise<void> {}
}

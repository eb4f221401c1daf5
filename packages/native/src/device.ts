import type { Resident } from "@polybin/core";
import {
  type Device,
  type DeviceLimits,
  HostResident,
  type JobOf,
  type Kind,
  type Plan,
  type PreparedOf,
  type Preparers,
  preparedBy,
  type Samples,
} from "@polybin/core/backend";
import type { Native } from "./border/index.ts";
import { deviceLimits, SYNC_BYTES } from "./platform/index.ts";
import {
  extentsOn,
  type FindExtent,
  prepareCells,
  prepareChannels,
  prepareSegments,
  prepareWeighted,
  Turns,
} from "./run/index.ts";

/** Those of all engines, because some programs open one for each call. */
const turns = new Turns();

/** The processor as an engine uses it: kernels on the threads of this process, which read its memory in place. */
export class NativeDevice implements Device {
  readonly name: string;
  readonly limits: DeviceLimits;
  /** On Windows, each C library has its own numbers for open files, so the addon cannot read those of Node. */
  readonly readsFiles = process.platform !== "win32";
  readonly kinds: readonly Kind[] = ["channels", "segments", "cells", "weighted"];
  readonly extent: FindExtent;
  readonly #preparers: Preparers;

  constructor(name: string, native: Native, threads: number) {
    this.name = name;
    this.limits = deviceLimits(threads);
    this.extent = extentsOn(native, threads);
    this.#preparers = {
      channels: (job) => ({ ...prepareChannels(native, threads, job), ready: () => turns.next() }),
      segments: (job) => prepareSegments(native, threads, job),
      cells: (job) => ({ ...prepareCells(native, threads, job), ready: () => turns.next() }),
      weighted: (job) => prepareWeighted(native, threads, job),
    };
  }

  /** A call that other threads count ends with a turn of the event loop. */
  get syncBytes(): number {
    return turns.isDue ? 0 : SYNC_BYTES;
  }

  /** Copies samples, because a resident keeps its values whatever becomes of the array. */
  async upload(samples: Samples): Promise<Resident> {
    return new HostResident({ ...samples, bytes: samples.bytes.slice() });
  }

  prepare<K extends Kind>(job: JobOf<K>): PreparedOf<K> {
    turns.add();
    return preparedBy(this.#preparers, job);
  }

  refuses(plan: Plan): string | null {
    if (plan.kind !== "cells" || !plan.staged) return null;
    return `${plan.algorithm} counts one column on the CPU: use fused for several, for groups and for masks`;
  }

  async close(): Promise<void> {}
}

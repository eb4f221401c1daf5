import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { type Backend, cpu, type Extent, type Resident } from "@polybin/core";
import {
  type CellsPlan,
  checkedThreads,
  checkNames,
  composedAlgorithms,
  type Device,
  type DeviceLimits,
  HostResident,
  HostTable,
  type Input,
  type JobOf,
  type Kind,
  limits,
  ownOptions,
  type Plan,
  type PreparedOf,
  type Preparers,
  preparedBy,
  type ResidentTable,
  type RunOptions,
  type Samples,
  type SumsPlan,
  type TableValues,
  threadsProblem,
} from "@polybin/core/backend";
import type { Modules } from "./counting/index.ts";
import { jointKernelOf, jointKernels, kernels, weightedKernelOf, weightedKernels } from "./kernels/index.ts";
import { allocateVisible, deviceLimits, inShared, poolLimits } from "./platform/index.ts";
import {
  extentOn,
  Pool,
  prepareCells,
  prepareChannels,
  prepareColumns,
  prepareSegments,
  prepareSums,
} from "./run/index.ts";

export interface PiscinaOptions {
  /** Number of worker threads, 1 to 256. Default: as many as the machine runs at the same time. */
  readonly threads?: number;
}

/**
 * Returns a backend with a pool of worker threads that run WebAssembly kernels (Node only). Workers count shared memory
 * in place and receive other memory in pieces. They read files themselves, in bounded memory.
 * @throws ERR_INPUT for an unknown option, or if `threads` is no whole number of at least 1; ERR_LIMIT past 256
 * threads.
 */
export function piscina(options: PiscinaOptions = {}): Backend {
  const own = ownOptions(options);
  checkNames(own, ["threads"] satisfies (keyof PiscinaOptions)[]);
  const threads = checkedThreads(own.threads, availableParallelism());
  const device = `${threads} worker${threads === 1 ? "" : "s"}`;
  return {
    id: "piscina",
    algorithms: [...kernels, ...jointKernels].map(({ algorithm }) => algorithm),
    // Composed algorithms choose among the kernels here.
    weighted: [...weightedKernels.map(({ algorithm }) => algorithm), ...Object.values(composedAlgorithms)],
    probe: async () => {
      const reason = await problem();
      return reason === null ? { available: true, device } : { available: false, reason };
    },
    open: async () => new PoolDevice(device, new Pool(threads, await compiled(), await cpu().open())),
  };
}

/** Returns why no pool can run in this process, or null. */
async function problem(): Promise<string | null> {
  if (typeof WebAssembly === "undefined")
    return "this process has no WebAssembly: start it without --jitless";
  if (typeof SharedArrayBuffer === "undefined") return "this process has no SharedArrayBuffer";
  const forbidden = threadsProblem();
  if (forbidden !== null) return forbidden;
  try {
    await compiled();
    return null;
  } catch (error) {
    return `the WebAssembly kernels could not be compiled: ${(error as Error).message}`;
  }
}

let compiling: Promise<Modules> | null = null;

/** Compiles the kernels, once per process unless it fails. */
function compiled(): Promise<Modules> {
  compiling ??= Promise.all([compile("kernels"), compile("where")]).then(
    ([module, where]) => ({ module, where }),
    (error) => {
      compiling = null;
      throw error;
    },
  );
  return compiling;
}

async function compile(name: "kernels" | "where"): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL(`./${name}.wasm`, import.meta.url)));
}

class PoolDevice implements Device {
  readonly name: string;
  readonly limits: DeviceLimits;
  readonly readsFiles = true;
  readonly kinds: readonly Kind[] = ["channels", "segments", "cells", "sums"];
  readonly callsAtOnce: number = poolLimits.jobsAtOnce;
  readonly #pool: Pool;
  readonly #preparers: Preparers = {
    channels: (job) => {
      const prepare = jointKernelOf(job.plan.algorithm) === null ? prepareChannels : prepareColumns;
      return prepare(this.#pool, job);
    },
    segments: (job) => prepareSegments(this.#pool, job),
    cells: (job) => prepareCells(this.#pool, job),
    sums: (job) => prepareSums(this.#pool, job),
  };

  constructor(name: string, pool: Pool) {
    this.name = name;
    this.limits = deviceLimits(pool.threads);
    this.#pool = pool;
  }

  /**
   * Allocates memory that workers read without a copy by this thread. It is no WebAssembly memory, which is as long as
   * its pages and reserves several GiB of addresses.
   */
  allocate(bytes: number): SharedArrayBuffer {
    return new SharedArrayBuffer(bytes);
  }

  /**
   * Copies samples to shared memory, in which workers count them in place. Memory that is shared already is not copied,
   * so do not write to it while it is resident.
   */
  async upload(samples: Samples): Promise<Resident> {
    const regions = (this.#pool.threads + 1) * limits.MAX_CHANNELS;
    const bytes = inShared(samples.bytes, (size) => allocateVisible(size, regions));
    return new HostResident({ ...samples, bytes });
  }

  get syncBytes(): number {
    return this.#pool.syncBytes;
  }

  prepare<K extends Kind>(job: JobOf<K>): PreparedOf<K> {
    return preparedBy(this.#preparers, job);
  }

  refuses(plan: Plan): string | null {
    if (plan.kind === "cells") return refusesCells(plan);
    return plan.kind === "sums" ? refusesSums(plan) : null;
  }

  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    return extentOn(this.#pool, input, channels, options);
  }

  /** Copies values to shared memory, where every worker can read them. */
  async uploadTable(values: TableValues): Promise<ResidentTable> {
    return new HostTable({ ...values, bytes: inShared(values.bytes) });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function refusesCells({ algorithm }: CellsPlan): string | null {
  if (jointKernelOf(algorithm) !== null) return null;
  const others = jointKernels.map(({ algorithm: { slug } }) => slug).join(" or ");
  return `${algorithm} counts one column on workers: use ${others} for several, for groups and for masks`;
}

function refusesSums(plan: SumsPlan): string | null {
  if (plan.precision === "reproducible" || weightedKernelOf(plan).sharedWords === null) return null;
  const others = weightedKernels.filter(({ sharedWords, integers }) => sharedWords === null && !integers);
  const names = others.map(({ algorithm }) => algorithm.slug).join(" or ");
  return `${plan.algorithm} adds up only integers on workers, because their atomics have no floats: use ${names} for the precision fast`;
}

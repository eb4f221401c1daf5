import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { Backend, Extent, Resident, SampleType } from "@polybin/core";
import {
  type CountJob,
  checkedThreads,
  checkNames,
  type Device,
  type DeviceLimits,
  HostResident,
  HostTable,
  type Input,
  type Partial,
  type ResidentTable,
  type RunOptions,
  type Samples,
  type SumsJob,
  type SumsPartial,
  samplesOf,
  type TableValues,
  type WeightedPlan,
} from "@polybin/core/backend";
import { deviceLimits } from "./device-limits.ts";
import { countJob, extentJob } from "./jobs.ts";
import { KERNELS, WEIGHTED_KERNELS, weightedKernels } from "./kernels/index.ts";
import { limits } from "./limits.ts";
import { Pool } from "./pool.ts";
import { inShared } from "./shared-memory.ts";
import { sumsJob } from "./sums.ts";

export interface PiscinaOptions {
  /** Worker threads. Default: as many as the machine runs at once, at most 256. */
  readonly threads?: number;
}

/**
 * A pool of worker threads with WebAssembly kernels (Node). Shared memory is counted in place, other
 * memory is copied in pieces, files are read by the workers themselves in bounded memory.
 * @throws ERR_INPUT for another option or a number of threads that is no whole number of at least 1; ERR_LIMIT past 256.
 */
export function piscina(options: PiscinaOptions = {}): Backend {
  checkNames(options, ["threads"] satisfies (keyof PiscinaOptions)[]);
  const threads = checkedThreads(options.threads, availableParallelism());
  const device = `${threads} worker${threads === 1 ? "" : "s"}`;
  return {
    id: "piscina",
    algorithms: KERNELS,
    weighted: WEIGHTED_KERNELS,
    probe: async () => ({ available: true, device }),
    open: async () => new PoolDevice(device, new Pool(threads, await compiledKernels())),
  };
}

async function compiledKernels(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL("./kernels.wasm", import.meta.url)));
}

class PoolDevice implements Device {
  readonly name: string;
  readonly limits: DeviceLimits;
  readonly readsFiles = true;
  readonly callsAtOnce: number = limits.jobsAtOnce;
  readonly #pool: Pool;

  constructor(name: string, pool: Pool) {
    this.name = name;
    this.limits = deviceLimits(pool.threads);
    this.#pool = pool;
  }

  /** Shared memory is taken as it is, so do not write to it while it is resident; other memory is copied. */
  async upload(samples: Samples): Promise<Resident> {
    return new HostResident({ ...samples, bytes: inShared(samples.bytes) });
  }

  count(job: CountJob, options: RunOptions): Promise<Partial> {
    return countJob(this.#pool, job, options);
  }

  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    const shape = { type: typeOf(input), channels };
    return extentJob(this.#pool, input, shape, options);
  }

  /** Values go into shared memory, where every worker reads them. */
  async uploadTable(values: TableValues): Promise<ResidentTable> {
    return new HostTable({ ...values, bytes: inShared(values.bytes) });
  }

  sums(job: SumsJob, options: RunOptions): Promise<SumsPartial> {
    return sumsJob(this.#pool, job, options);
  }

  refusesSums({ algorithm, precision }: WeightedPlan): string | null {
    if (precision === "reproducible" || !weightedKernels[algorithm]?.sharedWords) return null;
    return `${algorithm} adds up integers only on workers, whose atomics know no floats: for the precision fast take weighted-collision-free`;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function typeOf(input: Input): SampleType {
  return input.kind === "file" ? input.file.type : samplesOf(input).type;
}

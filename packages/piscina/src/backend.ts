import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { Backend, Extent, Resident, SampleType } from "@polybin/core";
import {
  type CountJob,
  checkedThreads,
  checkNames,
  composedAlgorithms,
  type Device,
  type DeviceLimits,
  HostResident,
  HostTable,
  type Input,
  type Prepared,
  type PreparedSegments,
  type PreparedSums,
  type ResidentTable,
  type RunOptions,
  type Samples,
  type SumsShape,
  samplesOf,
  type TableValues,
  type WeightedPlan,
} from "@polybin/core/backend";
import { kernels, weightedKernelOf, weightedKernels } from "./kernels/index.ts";
import { deviceLimits, inShared, poolLimits } from "./platform/index.ts";
import { extentJob, Pool, prepareCount, prepareSegments, prepareSums } from "./run/index.ts";

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
    algorithms: kernels.map(({ algorithm }) => algorithm),
    // Those that choose among others find theirs here.
    weighted: [...weightedKernels.map(({ algorithm }) => algorithm), ...Object.values(composedAlgorithms)],
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
  readonly callsAtOnce: number = poolLimits.jobsAtOnce;
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

  prepare(job: CountJob): Prepared {
    return prepareCount(this.#pool, job);
  }

  prepareSegments(job: CountJob): PreparedSegments {
    return prepareSegments(this.#pool, job);
  }

  extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    const shape = { type: typeOf(input), channels };
    return extentJob(this.#pool, input, shape, options);
  }

  /** Values go into shared memory, where every worker reads them. */
  async uploadTable(values: TableValues): Promise<ResidentTable> {
    return new HostTable({ ...values, bytes: inShared(values.bytes) });
  }

  prepareSums(shape: SumsShape): PreparedSums {
    return prepareSums(this.#pool, shape);
  }

  refusesSums(plan: WeightedPlan): string | null {
    if (plan.precision === "reproducible" || weightedKernelOf(plan).sharedWords === null) return null;
    const others = weightedKernels.filter(({ sharedWords, integers }) => sharedWords === null && !integers);
    const names = others.map(({ algorithm }) => algorithm.slug).join(" or ");
    return `${plan.algorithm} adds up integers only on workers, whose atomics know no floats: for the precision fast take ${names}`;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function typeOf(input: Input): SampleType {
  return input.kind === "file" ? input.file.type : samplesOf(input).type;
}

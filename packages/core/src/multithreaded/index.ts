import { availableParallelism } from "node:os";
import { algorithms } from "../algorithms/index.ts";
import type { Backend, CountJob, Prepared } from "../backend/index.ts";
import {
  checkedThreads,
  checkNames,
  type DeviceLimits,
  MAX_THREADS,
  ownOptions,
  threadsProblem,
} from "../base/index.ts";
import { CpuDevice, cpu, SIMULATED, WEIGHTED } from "../cpu/index.ts";
import { samplesOf } from "../input/index.ts";
import type { ChannelCounts } from "../result/index.ts";
import { forkJoin } from "./fork-join.ts";
import { FORKS_AT_ONCE } from "./limits.ts";
import { shares } from "./shares.ts";

export interface MultithreadedOptions {
  /** Worker threads per call. Default: the number of threads that the machine runs at once, at most 256. */
  readonly threads?: number;
}

/**
 * Creates core's CPU backend with real threads (Node only). The `multithreaded` algorithm forks a worker thread per
 * share of the samples. Each thread counts into its own table, and the tables are added at the end. All other
 * algorithms are those of `cpu()`.
 *
 * Source: The CUDA Handbook, histogram chapter, "Privatized (Per Thread) Histograms".
 * @throws ERR_INPUT for an unknown option or a number of threads that is not a whole number of at least 1.
 * @throws ERR_LIMIT above 256.
 */
export function multithreaded(options: MultithreadedOptions = {}): Backend {
  const own = ownOptions(options);
  checkNames(own, ["threads"] satisfies (keyof MultithreadedOptions)[]);
  const threads = checkedThreads(own.threads, availableParallelism());
  const device = `${threads} JavaScript thread${threads === 1 ? "" : "s"}`;
  return {
    id: cpu().id,
    algorithms: Object.values(algorithms),
    weighted: WEIGHTED,
    probe: async () => {
      const reason = threadsProblem();
      return reason === null ? { available: true, device } : { available: false, reason };
    },
    open: async () => new ThreadsDevice(device, threads),
  };
}

class ThreadsDevice extends CpuDevice {
  override readonly name: string;
  override readonly limits: DeviceLimits;
  /** Maximum number of concurrent calls, since each call forks its own threads. */
  readonly callsAtOnce: number;

  constructor(name: string, threads: number) {
    super(Object.values(algorithms));
    this.name = name;
    this.limits = { ...SIMULATED, units: threads };
    this.callsAtOnce = Math.max(1, Math.min(FORKS_AT_ONCE, Math.floor(MAX_THREADS / threads)));
  }

  protected override channels(job: CountJob): Prepared {
    if (job.plan.algorithm !== algorithms.multithreaded.slug) return super.channels(job);
    return {
      launch: Object.freeze({ kernel: "fork and join", threads: job.plan.threads }),
      count: async (input, options) => {
        const start = performance.now();
        const parts = await forkJoin(job, shares(samplesOf(input), job.plan.threads), options);
        return {
          channels: job.channels.map((_, i) => sum(parts.map((part) => part[i]!))),
          timings: { readMs: 0, uploadMs: 0, kernelMs: performance.now() - start },
        };
      },
    };
  }
}

function sum(parts: readonly ChannelCounts[]): ChannelCounts {
  const cells = new Float64Array(parts[0]!.cells.length);
  const flow = new Float64Array(parts[0]!.flow.length);
  for (const part of parts) {
    for (let i = 0; i < cells.length; i++) cells[i]! += part.cells[i]!;
    for (let i = 0; i < flow.length; i++) flow[i]! += part.flow[i]!;
  }
  return { cells, flow };
}

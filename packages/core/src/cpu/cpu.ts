import { SLUGS, WEIGHTED_SLUGS } from "../algorithms/index.ts";
import type {
  Backend,
  CountJob,
  Device,
  Partial,
  RunOptions,
  SumsJob,
  SumsPartial,
} from "../backend/index.ts";
import { type DeviceLimits, expected, REFERENCE_CHUNK, STEP_BYTES, Turns } from "../base/index.ts";
import {
  type Extent,
  extentOfRun,
  HostResident,
  HostTable,
  type Input,
  joinExtents,
  NO_EXTENT,
  type Resident,
  type ResidentTable,
  runs,
  SAMPLE_TRAITS,
  type SampleArray,
  type Samples,
  samplesOf,
  type TableValues,
} from "../input/index.ts";
import { referenceCounter, sequentialCounter } from "./counting.ts";
import { sumOnHost } from "./sums.ts";

/**
 * Core's own backend: `sequential` at the speed of one JavaScript thread and every other algorithm as its
 * paper's step-by-step simulation. It runs wherever JavaScript does and never is unavailable.
 * @throws ERR_INPUT for options: it has none.
 */
export function cpu(...none: readonly undefined[]): Backend {
  if (none[0] !== undefined) {
    throw expected("ERR_INPUT", "cpu()", "nothing", none[0], {
      helps: "it has one thread; multithreaded of @polybin/core/multithreaded has more",
    });
  }
  return {
    id: "cpu",
    // Forking needs worker threads, which `@polybin/core/multithreaded` has.
    algorithms: SLUGS.filter((slug) => slug !== "multithreaded"),
    weighted: WEIGHTED_SLUGS,
    probe: async () => ({ available: true, device: DEVICE_NAME }),
    open: async () => new CpuDevice(),
  };
}

const DEVICE_NAME = "1 JavaScript thread";

/** The machine that the references simulate: small enough that blocks, flushes and tails all occur. */
export const SIMULATED: DeviceLimits = {
  kind: "cpu",
  units: 2,
  warp: 32,
  banks: 32,
  sharedBytes: 49_152,
  blockThreads: 1024,
  chunkSamples: REFERENCE_CHUNK,
};

/** The device of core's CPU backend. */
export class CpuDevice implements Device {
  readonly name: string = DEVICE_NAME;
  readonly limits: DeviceLimits = SIMULATED;
  readonly readsFiles = false;

  async upload(samples: Samples): Promise<Resident> {
    return new HostResident({ ...samples, bytes: samples.bytes.slice() });
  }

  async count(job: CountJob, options: RunOptions): Promise<Partial> {
    const of = samplesOf(job.input);
    const start = performance.now();
    const stride = of.channels;
    const sequential = job.plan.algorithm === "sequential";
    const count = sequential ? sequentialCounter({ ...job, stride }) : referenceCounter({ ...job, stride });
    await inTurns(of, sequential ? stepOf(of) : job.plan.chunkSamples, options, (run) => count.add(run));
    return {
      channels: count.channels(),
      timings: { readMs: 0, uploadMs: 0, kernelMs: performance.now() - start },
    };
  }

  async extent(input: Input, channels: readonly number[], options: RunOptions): Promise<Extent> {
    const of = samplesOf(input);
    let extent = NO_EXTENT;
    await inTurns(of, stepOf(of), options, (run) => {
      extent = joinExtents(extent, extentOfRun(run, of.channels, channels));
    });
    return extent;
  }

  async uploadTable(values: TableValues): Promise<ResidentTable> {
    return new HostTable(values);
  }

  sums(job: SumsJob, options: RunOptions): Promise<SumsPartial> {
    return sumOnHost(job, options);
  }

  async close(): Promise<void> {}
}

/** Pixels of a step that leaves the thread to others soon enough. */
function stepOf({ type, channels }: Samples): number {
  return Math.floor(STEP_BYTES / (SAMPLE_TRAITS[type].bytes * channels));
}

/** Works through samples in steps of at most `most` pixels; timers, aborts and input have the thread now and then. */
async function inTurns(
  of: Samples,
  most: number,
  { signal, onProgress }: RunOptions,
  work: (run: SampleArray) => void,
): Promise<void> {
  const turns = new Turns(signal);
  let done = 0;
  for (const run of runs(of, most)) {
    work(run);
    done += run.length / of.channels;
    onProgress?.(done);
    await turns.next();
  }
}

import { SLUGS } from "./algorithms/index.ts";
import type { Backend, CountJob, Device, Input, Partial, Resident, RunOptions } from "./backend.ts";
import { referenceCounter, sequentialCounter } from "./counting.ts";
import { type Extent, extentOf } from "./extent.ts";
import { REFERENCE_CHUNK, STREAM_CHUNK } from "./limits.ts";
import type { DeviceLimits } from "./plan.ts";
import { HostResident, samplesOf } from "./resident.ts";
import { runs, type Samples } from "./samples.ts";

/**
 * Core's own backend: `sequential` at the speed of one JavaScript thread and every other algorithm as its
 * paper's step-by-step simulation. It runs wherever JavaScript does and never is unavailable.
 */
export function cpu(): Backend {
  return {
    id: "cpu",
    // Forking needs worker threads, which `@polybin/core/multithreaded` has.
    algorithms: SLUGS.filter((slug) => slug !== "multithreaded"),
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

/** Milliseconds of counting after which other work of the thread gets its turn. */
const TURN_MS = 30;

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
    let done = 0;
    const takeTurn = turns();
    for (const run of runs(of, sequential ? STREAM_CHUNK : job.plan.chunkSamples)) {
      count.add(run);
      done += run.length / of.channels;
      options.onProgress?.(done);
      await takeTurn();
      options.signal?.throwIfAborted();
    }
    return {
      channels: count.channels(),
      timings: { readMs: 0, uploadMs: 0, kernelMs: performance.now() - start },
    };
  }

  async extent(input: Input, channels: readonly number[]): Promise<Extent> {
    return extentOf(samplesOf(input), channels);
  }

  async close(): Promise<void> {}
}

/** A function to await between pieces of work: it lets timers, aborts and input have the thread now and then. */
function turns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await new Promise<void>((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}

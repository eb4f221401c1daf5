import type { DeviceLaunch } from "../backend/index.ts";
import { REFERENCE_CHUNK } from "../base/index.ts";
import type { Samples } from "../input/index.ts";
import type { Reference } from "../plan/index.ts";
import { type Counter, type CounterJob, referenceCounter } from "./counting.ts";

/** A way to count on one JavaScript thread. */
export interface Kernel {
  readonly slug: string;
  readonly launch: DeviceLaunch;
  /** Computes what calls of a job share. @returns a function that creates one counter per call */
  counters(job: CounterJob): () => Counter;
  /** Number of pixels of a step, after which the thread may run other work. */
  stepPixels(samples: Samples, chunkSamples: number): number;
}

export const SIMULATION: DeviceLaunch = { kernel: "simulation", chunkSamples: REFERENCE_CHUNK };

/** Simulates an algorithm's steps as its source describes them. */
export function simulationOf(slug: string, reference: Reference): Kernel {
  return {
    slug,
    launch: SIMULATION,
    counters: (job) => () => referenceCounter(job, reference),
    stepPixels: (_, chunkSamples) => chunkSamples,
  };
}

import type { DeviceLaunch } from "../backend/index.ts";
import { REFERENCE_CHUNK } from "../base/index.ts";
import type { Samples } from "../input/index.ts";
import type { Reference } from "../plan/index.ts";
import { type Counter, type CounterJob, referenceCounter } from "./counting.ts";

/** A way to count on one JavaScript thread. */
export interface Kernel {
  readonly slug: string;
  readonly launch: DeviceLaunch;
  /** Works out what calls of a job share. @returns what makes a counter for each call */
  counters(job: CounterJob): () => Counter;
  /** Pixels of a step, after which the thread may be left to others. */
  stepPixels(samples: Samples, chunkSamples: number): number;
}

export const SIMULATION: DeviceLaunch = { kernel: "simulation", chunkSamples: REFERENCE_CHUNK };

/** An algorithm's steps as its source has them. */
export function simulationOf(slug: string, reference: Reference): Kernel {
  return {
    slug,
    launch: SIMULATION,
    counters: (job) => () => referenceCounter(job, reference),
    stepPixels: (_, chunkSamples) => chunkSamples,
  };
}

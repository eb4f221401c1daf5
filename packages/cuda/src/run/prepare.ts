import type { Plan } from "@polybin/core";
import { type CountJob, type Lowering, limits, SAMPLE_TYPES } from "@polybin/core/backend";
import { type NativeShape, Plan as PlanNumbers, packed } from "../border/index.ts";
import { countKernel } from "../kernels/index.ts";
import { nativeLowering } from "./lowering.ts";

/** What a device does with a plan: frozen and printable. */
export type CountLaunch = {
  /** Each counts a part of the samples. */
  readonly devices: number;
  /** In their order: of codes, what writes them comes first. */
  readonly kernels: readonly string[];
  readonly threads: number;
  readonly blocks: number;
  readonly sharedBytes: number;
  /** Launches over the same samples. */
  readonly passes: number;
  /** Samples of a channel that a launch reads, at most. */
  readonly launchPixels: number;
  /** Bytes of a count as it comes back, where 32 bits hold all that a call counts. */
  readonly countBytes: number;
  /** Bytes of device memory beside counts and samples: what blocks leave for one another, and codes, at most. */
  readonly scratchBytes: number;
  readonly codesBytes: number;
  /** How samples find their rows. */
  readonly lowering: Lowering["kind"] | "raw";
  /** The algorithm's own numbers. */
  readonly own: Readonly<Record<string, number | boolean | string>>;
};

/** What the addon is handed once. */
export interface PreparedCount {
  readonly launch: CountLaunch;
  readonly shape: NativeShape;
  /** Launches that so many pixels of one device take. */
  readonly launchesOf: (pixels: number) => number;
}

/** What the devices will do. Pure: numbers in, frozen objects out. */
export function prepareCount(
  { type, interleaved, channels, lowering, plan }: Omit<CountJob, "axis">,
  devices: number,
): PreparedCount {
  const kernel = countKernel(plan.algorithm);
  const own = kernel.of(plan);
  const isCode = kernel.reads === "codes";
  // Raw samples of one channel are codes as they are.
  const isLowered = isCode && !(plan.raw && interleaved === 1);
  const { threads, blocks, sharedBytes, passes, chunkSamples: launchPixels } = plan;
  return Object.freeze({
    launch: Object.freeze({
      devices,
      kernels: Object.freeze(isLowered ? ["lower", plan.algorithm] : [plan.algorithm]),
      threads,
      blocks,
      sharedBytes,
      passes,
      launchPixels,
      countBytes: !isCode && kernel.narrow ? Uint32Array.BYTES_PER_ELEMENT : BigUint64Array.BYTES_PER_ELEMENT,
      scratchBytes: isCode && kernel.scratch ? blocks * plan.cellsPerPass * limits.WORD_BYTES : 0,
      codesBytes: isLowered ? Math.min(limits.GPU_CODES, launchPixels) * limits.WORD_BYTES : 0,
      lowering: plan.raw ? "raw" : lowering.kind,
      own: Object.freeze(own),
    }),
    shape: Object.freeze({
      wanted: Object.freeze({ type: SAMPLE_TYPES.indexOf(type), interleaved, channels }),
      ...nativePlan(lowering, plan),
      launchPixels,
    }),
    launchesOf: (pixels: number) =>
      isLowered
        ? 2 * channels.length * limits.divideCeiling(pixels, Math.min(limits.GPU_CODES, launchPixels))
        : (isCode ? channels.length : 1) * limits.divideCeiling(pixels, launchPixels),
  });
}

/** A plan and its lowering as a kernel is handed them. */
export function nativePlan(
  lowering: Lowering,
  plan: Plan,
): Pick<NativeShape, "algorithm" | "lowering" | "plan" | "own"> {
  const { algorithm, cells, cellsPerPass, passes, threads, blocks, replicas, sharedBytes } = plan;
  const wordsPerThread = plan.wordsPerThread ?? 0;
  const kernel = countKernel(algorithm);
  return {
    algorithm,
    lowering: nativeLowering(lowering, plan),
    plan: packed(PlanNumbers, {
      cells,
      cellsPerPass,
      passes,
      threads,
      blocks,
      replicas,
      sharedBytes,
      wordsPerThread,
    }),
    own: packed(kernel.own, kernel.of(plan)),
  };
}

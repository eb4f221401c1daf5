import type { ChannelsPlan, SampleType } from "@polybin/core";
import { type CountJob, type Lowering, limits, rawShift, SAMPLE_TYPES } from "@polybin/core/backend";
import { type NativeShape, Plan as PlanNumbers, packed } from "../border/index.ts";
import { countKernel } from "../kernels/index.ts";
import { nativeLowering, rawLowering } from "./lowering.ts";

/** A device's work on a plan, frozen and printable. */
export type CountLaunch = {
  /** Each device counts a part of the samples. */
  readonly devices: number;
  /** Kernels in order. For an algorithm that counts codes, the kernel that writes them comes first. */
  readonly kernels: readonly string[];
  readonly threads: number;
  readonly blocks: number;
  readonly sharedBytes: number;
  /** Launches over the same samples. */
  readonly passes: number;
  /** The most samples of a channel that a launch reads. */
  readonly launchPixels: number;
  /** Bytes of a count in the readback, if 32 bits can hold all counts of a call. */
  readonly countBytes: number;
  /** The most bytes of device memory in addition to counts and samples: data that blocks exchange, and codes. */
  readonly scratchBytes: number;
  readonly codesBytes: number;
  /** How samples find their rows. */
  readonly lowering: Lowering["kind"] | "raw";
  /** The algorithm's own numbers. */
  readonly own: Readonly<Record<string, number | boolean | string>>;
};

/** The parts of a count that cross to the addon once. */
export interface PreparedCount {
  readonly launch: CountLaunch;
  readonly shape: NativeShape;
  /** Returns the launches that a number of pixels takes on one device. */
  readonly launchesOf: (pixels: number) => number;
}

/** Prepares the devices' work. This is a pure function: numbers in, frozen objects out. */
export function prepareCount(
  { type, interleaved, channels, lowering, plan }: Omit<CountJob, "axis">,
  devices: number,
): PreparedCount {
  const kernel = countKernel(plan.algorithm);
  const own = kernel.of(plan);
  const isCode = kernel.reads === "codes";
  // Raw samples of one channel are codes already. Some kernels read 16-bit integers with one bin for each value.
  const readsColumn =
    isCode &&
    kernel.columns === true &&
    interleaved === 1 &&
    lowering.kind === "direct" &&
    !lowering.flow &&
    isHalf(type);
  const isLowered = isCode && !(plan.raw && interleaved === 1) && !readsColumn;
  const { threads, blocks, sharedBytes, passes, partials, chunkSamples: launchPixels } = plan;
  const kernels = [...(isLowered ? ["lower"] : []), plan.algorithm, ...(partials ? ["merge"] : [])];
  return Object.freeze({
    launch: Object.freeze({
      devices,
      kernels: Object.freeze(kernels),
      threads,
      blocks,
      sharedBytes,
      passes,
      launchPixels,
      countBytes: !isCode && kernel.narrow ? Uint32Array.BYTES_PER_ELEMENT : BigUint64Array.BYTES_PER_ELEMENT,
      scratchBytes: (partials?.tables ?? 0) * plan.cellsPerPass * limits.WORD_BYTES,
      codesBytes: isLowered ? Math.min(limits.GPU_CODES, launchPixels) * codeBytes(plan) : 0,
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
        ? kernels.length *
          channels.length *
          limits.divideCeiling(pixels, Math.min(limits.GPU_CODES, launchPixels))
        : kernels.length * (isCode ? channels.length : 1) * limits.divideCeiling(pixels, launchPixels),
  });
}

function isHalf(type: SampleType): boolean {
  return type === "u16" || type === "i16";
}

/** Returns the bytes of a code: a byte also needs room for the code of flow, which is no cell. */
function codeBytes({ raw, cells }: ChannelsPlan): number {
  return raw || cells < limits.BYTE_VALUES ? 1 : limits.WORD_BYTES;
}

/** Converts a plan and its lowering to the form that a kernel receives. */
export function nativePlan(
  lowering: Lowering,
  plan: ChannelsPlan,
): Pick<NativeShape, "algorithm" | "lowering" | "plan" | "own"> {
  const { algorithm, cells, cellsPerPass, passes, threads, blocks, replicas, sharedBytes, partials } = plan;
  const wordsPerThread = plan.wordsPerThread ?? 0;
  const kernel = countKernel(algorithm);
  return {
    algorithm,
    lowering: plan.raw ? rawLowering(lowering.type, cells, rawShift(plan)) : nativeLowering(lowering),
    plan: packed(PlanNumbers, {
      cells,
      cellsPerPass,
      passes,
      threads,
      blocks,
      replicas,
      sharedBytes,
      wordsPerThread,
      codeBytes: codeBytes(plan),
      partials: partials?.tables ?? 0,
      mergeThreads: partials?.threads ?? 0,
      mergeBlocks: partials?.blocks ?? 0,
    }),
    own: packed(kernel.own, kernel.of(plan)),
  };
}

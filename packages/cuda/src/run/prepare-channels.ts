import type { SampleType } from "@polybin/core";
import { type CountJob, type Lowering, limits } from "@polybin/core/backend";
import type { NativeShape } from "../border/index.ts";
import { countKernel } from "../kernels/index.ts";
import { type CountsLaunch, codeBytes, countsLaunch, nativeShape } from "./shape.ts";

/** A device's work on a plan, frozen and printable. An algorithm that counts codes follows the kernel that writes them. */
export type ChannelsLaunch = CountsLaunch & {
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
export interface PreparedChannels {
  readonly launch: ChannelsLaunch;
  readonly shape: NativeShape;
  /** Returns the launches that a number of pixels takes on one device. */
  readonly launchesOf: (pixels: number) => number;
}

/** Prepares the devices' work. This is a pure function: numbers in, frozen objects out. */
export function prepareChannels(job: Omit<CountJob, "axis">, devices: number): PreparedChannels {
  const { type, interleaved, channels, lowering, plan } = job;
  const kernel = countKernel(plan.algorithm);
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
  const { passes, partials, chunkSamples: launchPixels } = plan;
  const kernels = [...(isLowered ? ["lower"] : []), plan.algorithm, ...(partials ? ["merge"] : [])];
  const atOnce = isLowered ? Math.min(limits.GPU_CODES, launchPixels) : launchPixels;
  return Object.freeze({
    launch: Object.freeze({
      ...countsLaunch(devices, kernels, plan),
      passes,
      launchPixels,
      countBytes: kernel.narrow ? Uint32Array.BYTES_PER_ELEMENT : BigUint64Array.BYTES_PER_ELEMENT,
      scratchBytes: (partials?.tables ?? 0) * plan.cellsPerPass * limits.WORD_BYTES,
      codesBytes: isLowered ? atOnce * codeBytes(plan) : 0,
      lowering: plan.raw ? "raw" : lowering.kind,
      own: Object.freeze(kernel.of(plan)),
    }),
    shape: nativeShape(job, plan),
    launchesOf: (pixels: number) =>
      kernels.length * (isCode ? channels.length : 1) * limits.divideCeiling(pixels, atOnce),
  });
}

function isHalf(type: SampleType): boolean {
  return type === "u16" || type === "i16";
}

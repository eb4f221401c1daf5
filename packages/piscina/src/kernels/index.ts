import type { ChannelsPlan } from "@polybin/core";
import type { SumsPlan } from "@polybin/core/backend";
import { registry } from "./generated/registry.ts";
import { isJoint, isPlain, isWeighted } from "./lib/any-kernel.ts";
import type { JointKernel } from "./lib/joint.ts";
import type { Kernel } from "./lib/kernel.ts";
import type { WeightedKernel } from "./lib/weighted.ts";

export type { CellBlock, CellWork, JointKernel, Lookup } from "./lib/joint.ts";
export type { Codes, FusedKernel, Kernel, RowsKernel } from "./lib/kernel.ts";
export { type Block, type Step, sharedSumsAt, sumOfPairs, type WeightedKernel } from "./lib/weighted.ts";

/** The kernels of a worker. */
export const kernels: readonly Kernel[] = registry.filter(isPlain);
export const weightedKernels: readonly WeightedKernel[] = registry.filter(isWeighted);
/** The kernels that count several columns, and only these. */
export const jointKernels: readonly JointKernel[] = registry.filter(isJoint);

const bySlug = new Map(kernels.map((kernel) => [kernel.algorithm.slug, kernel]));
const jointBySlug = new Map(jointKernels.map((kernel) => [kernel.algorithm.slug, kernel]));
const weightedBySlug = new Map(weightedKernels.map((kernel) => [kernel.algorithm.slug, kernel]));

/** Returns the kernel of a plan, which names an algorithm of this backend. */
export function kernelOf({ algorithm }: Pick<ChannelsPlan, "algorithm">): Kernel {
  return bySlug.get(algorithm)!;
}

export function weightedKernelOf({ algorithm }: Pick<SumsPlan, "algorithm">): WeightedKernel {
  return weightedBySlug.get(algorithm)!;
}

/** Returns the kernel of an algorithm that counts several columns, or null if it counts only one. */
export function jointKernelOf(algorithm: string): JointKernel | null {
  return jointBySlug.get(algorithm) ?? null;
}

import type { Plan } from "@polybin/core";
import type { WeightedPlan } from "@polybin/core/backend";
import { registry } from "./generated/registry.ts";
import { isPlain, isWeighted } from "./lib/any-kernel.ts";
import type { Kernel } from "./lib/kernel.ts";
import type { WeightedKernel } from "./lib/weighted.ts";

export type { Codes, FusedKernel, Kernel, RowsKernel } from "./lib/kernel.ts";
export { type Block, type Step, sharedSumsAt, sumOfPairs, type WeightedKernel } from "./lib/weighted.ts";

/** The kernels of a worker. */
export const kernels: readonly Kernel[] = registry.filter(isPlain);
export const weightedKernels: readonly WeightedKernel[] = registry.filter(isWeighted);

const bySlug = new Map(kernels.map((kernel) => [kernel.algorithm.slug, kernel]));
const weightedBySlug = new Map(weightedKernels.map((kernel) => [kernel.algorithm.slug, kernel]));

/** Returns the kernel of a plan, which names an algorithm of this backend. */
export function kernelOf({ algorithm }: Pick<Plan, "algorithm">): Kernel {
  return bySlug.get(algorithm)!;
}

export function weightedKernelOf({ algorithm }: Pick<WeightedPlan, "algorithm">): WeightedKernel {
  return weightedBySlug.get(algorithm)!;
}

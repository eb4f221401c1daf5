import type { ChannelsPlan } from "@polybin/core";
import type { SumsPlan } from "@polybin/core/backend";
import { registry } from "./generated/registry.ts";
import type { AnyKernel } from "./lib/any-kernel.ts";
import type { JointKernel } from "./lib/joint.ts";
import type { Kernel } from "./lib/kernel.ts";
import type { WeightedKernel } from "./lib/weighted.ts";

export type { CellBlock, CellWork, JointKernel, Lookup } from "./lib/joint.ts";
export type { Codes, FusedKernel, Kernel, RowsKernel } from "./lib/kernel.ts";
export { type Block, type Step, sharedSumsAt, sumOfPairs, type WeightedKernel } from "./lib/weighted.ts";

/** The kernels of a worker. */
export const kernels: readonly Kernel[] = registry.filter((kernel) => "finish" in kernel);
export const weightedKernels: readonly WeightedKernel[] = registry.filter((kernel) => "add" in kernel);
/** The kernels that count several columns, and only these. */
export const jointKernels: readonly JointKernel[] = registry.filter((kernel) => "prepare" in kernel);

const bySlug: ReadonlyMap<string, AnyKernel> = new Map(
  registry.map((kernel) => [kernel.algorithm.slug, kernel]),
);

/** Returns the kernel of a plan, which names an algorithm of this backend. */
export function kernelOf({ algorithm }: Pick<ChannelsPlan, "algorithm">): Kernel {
  return bySlug.get(algorithm) as Kernel;
}

export function weightedKernelOf({ algorithm }: Pick<SumsPlan, "algorithm">): WeightedKernel {
  return bySlug.get(algorithm) as WeightedKernel;
}

/** Returns the kernel of an algorithm that counts several columns, or null if it counts only one. */
export function jointKernelOf(algorithm: string): JointKernel | null {
  const kernel = bySlug.get(algorithm);
  return kernel !== undefined && "prepare" in kernel ? kernel : null;
}

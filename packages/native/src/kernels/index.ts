import type { ChannelsPlan } from "@polybin/core";
import { kernels as found } from "./generated/registry.ts";
import type { Kernel } from "./lib/kernel.ts";

export type { Kernel };

export const kernels: readonly Kernel[] = found;

/** Returns the kernel of a plan, which names an algorithm of this backend. */
export function kernelOf({ algorithm }: Pick<ChannelsPlan, "algorithm">): Kernel {
  return kernels.find((kernel) => kernel.algorithm.slug === algorithm)!;
}

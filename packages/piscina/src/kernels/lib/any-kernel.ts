import type { Kernel } from "./kernel.ts";
import type { WeightedKernel } from "./weighted.ts";

/** The kernel of a folder. */
export type AnyKernel = Kernel | WeightedKernel;

export function isPlain(kernel: AnyKernel): kernel is Kernel {
  return !isWeighted(kernel);
}

export function isWeighted(kernel: AnyKernel): kernel is WeightedKernel {
  return "add" in kernel;
}

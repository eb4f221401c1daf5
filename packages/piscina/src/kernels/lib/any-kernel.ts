import type { JointKernel } from "./joint.ts";
import type { Kernel } from "./kernel.ts";
import type { WeightedKernel } from "./weighted.ts";

/** The kernel of a folder. */
export type AnyKernel = Kernel | WeightedKernel | JointKernel;

export function isPlain(kernel: AnyKernel): kernel is Kernel {
  return !isWeighted(kernel) && !isJoint(kernel);
}

export function isWeighted(kernel: AnyKernel): kernel is WeightedKernel {
  return "add" in kernel;
}

export function isJoint(kernel: AnyKernel): kernel is JointKernel {
  return "prepare" in kernel;
}

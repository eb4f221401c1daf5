import type { JointKernel } from "./joint.ts";
import type { Kernel } from "./kernel.ts";
import type { WeightedKernel } from "./weighted.ts";

/** The kernel of a folder. */
export type AnyKernel = Kernel | WeightedKernel | JointKernel;

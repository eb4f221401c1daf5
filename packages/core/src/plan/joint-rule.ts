import type { DeviceLimits } from "../base/index.ts";
import type { CellColumn } from "../lowering/index.ts";
import type { LaunchRule } from "./launch.ts";
import type { ParameterValues } from "./parameters.ts";

/** The place of the counters of a joint histogram: copies in shared memory, 16-bit counters there, or global memory. */
export type JointTable = "replicas" | "packed" | "global";

/** The input of an algorithm's plan rule for several columns. */
export interface JointLaunchRequest<P extends object = ParameterValues> {
  readonly parameters: P;
  /** Number of cells of a table, flow included. */
  readonly cells: number;
  /** Maximum number of samples of a launch. */
  readonly samples: number;
  /** Bytes of a sample of all columns together, and of its mask. */
  readonly sampleBytes: number;
  readonly columns: readonly CellColumn[];
}

/** The result of a plan rule for several columns. */
export type JointLaunchRule<P extends object = ParameterValues> = LaunchRule<P> & {
  readonly table: JointTable;
};

/** How an algorithm counts several columns in one pass. */
export interface JointRule<P extends object = ParameterValues> {
  /** Its rank in `auto` on each kind of device, as `preferred` of an algorithm. */
  readonly preferred?: Readonly<Partial<Record<DeviceLimits["kind"], number>>>;
  /** Returns the launch, or a sentence that states why this device cannot run the algorithm. */
  launch(request: JointLaunchRequest<P>, limits: DeviceLimits): JointLaunchRule<P> | string;
}

/** Converts a plan to the devices' work, and runs it. */

export { CudaCounter } from "./counter.ts";
export { dispatchExtent, dispatchSums, onShares } from "./dispatch.ts";
export { countJoint } from "./dispatch-joint.ts";
export { dispatchSegments, leaveSegments, readRows, shapeOf } from "./dispatch-segments.ts";
export { Lane } from "./lane.ts";
export { nativePlan, prepareCount } from "./prepare.ts";
export { prepareJoint } from "./prepare-joint.ts";
export { prepareSegments } from "./prepare-segments.ts";
export {
  featuresPerLaunch,
  NO_SKIP,
  nativeWeightedPlan,
  prepareSums,
  refusesSums,
} from "./prepare-sums.ts";
export { talk } from "./talk.ts";

/** Converts a plan to the devices' work, and runs it: prepare, dispatch, deliver. */
export { cells } from "./dispatch-cells.ts";
export { CudaCounter } from "./dispatch-channels.ts";
export { segments } from "./dispatch-segments.ts";
export { sums } from "./dispatch-sums.ts";
export { Lanes } from "./lanes.ts";
export { prepareChannels } from "./prepare-channels.ts";
export {
  featuresPerLaunch,
  NO_SKIP,
  nativeWeightedPlan,
  prepareSums,
  refusesSums,
} from "./prepare-sums.ts";
export { nativePlan } from "./shape.ts";
export { download, extent, upload, uploadTable } from "./transfer.ts";

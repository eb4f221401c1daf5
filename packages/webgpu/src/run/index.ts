export { DeviceAccumulator, type InLane } from "./accumulate.ts";
export { type Context, freeShared } from "./context.ts";
export { count } from "./count.ts";
export { extents } from "./extent.ts";
export { frozen } from "./frozen.ts";
export type { JointProgram, JointSteps } from "./joint/prepare.ts";
export { Kept } from "./kept.ts";
export { Lane } from "./lane.ts";
export { LateEncodings } from "./late-encodings.ts";
export type { RowsPart } from "./leave-segments.ts";
export { type CountSteps, prepareCount } from "./prepare-count.ts";
export {
  compileSegments,
  prepareSegments,
  type SegmentsPipelines,
  type SegmentsSteps,
} from "./prepare-segments.ts";
export { prepareSums, refusesSums, type SumsSteps } from "./prepare-sums.ts";
export { compile, type Program } from "./program.ts";
export { refusesJoint } from "./refuses-joint.ts";
export { ResidentCalls, residentOf, settled } from "./resident-calls.ts";
export type { SumsPipelines } from "./sums.ts";

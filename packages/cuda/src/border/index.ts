/** Everything that crosses into native code, described once. scripts/generate.mjs writes the C++ for it. */
export type {
  Context,
  DeviceMemory,
  Native,
  NativeCounts,
  NativeDevice,
  NativeJoint,
  NativePrepared,
  NativeReady,
  NativeSegments,
  NativeSums,
  NativeTimes,
  NativeTotal,
} from "./addon.ts";
export {
  type Described,
  described,
  enumeration,
  type Parts,
  type PartValues,
  packed,
} from "./describe.ts";
export {
  MESSAGES,
  type NativeControl,
  type NativeJob,
  type NativeJointJob,
  type NativeJointShape,
  type NativeLowering,
  type NativeSegmentsJob,
  type NativeShape,
  type NativeSource,
  type NativeSumsJob,
  type NativeSumsLaunch,
} from "./messages.ts";
export { CUTS, ENUMERATIONS, LoweringNumbers, MaskKind, Plan, STRUCTS, WeightedPlan } from "./structs.ts";

/** What crosses into native code, described once: scripts/generate.mjs writes the C++ of it. */
export type {
  Context,
  DeviceMemory,
  Native,
  NativeCounts,
  NativeDevice,
  NativePrepared,
  NativeReady,
  NativeSums,
  NativeTotal,
  ReadRow,
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
  type NativeLowering,
  type NativeShape,
  type NativeSource,
  type NativeSumsJob,
  type NativeSumsLaunch,
} from "./messages.ts";
export { ENUMERATIONS, LoweringNumbers, Plan, STRUCTS, WeightedPlan } from "./structs.ts";

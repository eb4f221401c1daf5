export { adviceFor, adviceForName, OF_POOL } from "./advice.ts";
export type { DeviceLimits } from "./device.ts";
export { clip, type ErrorCode, type ErrorDetails, expected, isPolybinError, PolybinError } from "./errors.ts";
export * as limits from "./limits.ts";
export {
  BYTE_VALUES,
  counterMax,
  divideCeiling,
  FLOW_ROWS,
  HALF_VALUES,
  MAX_SAMPLES,
  MAX_THREADS,
  REFERENCE_CHUNK,
  STEP_BYTES,
  U8_MAX,
  U16_MAX,
  U32_MAX,
  VECTOR_BYTES,
  WARP_THREADS,
  WORD_BYTES,
} from "./limits.ts";
export { loadedOnce } from "./loaded-once.ts";
export { Memory } from "./memory.ts";
export {
  checkNames,
  checkObject,
  checkSwitch,
  hasOption,
  type NamesOf,
  ownOptions,
  suggestion,
} from "./names.ts";
export { needsObject } from "./needs-object.ts";
export type { Where } from "./platform.ts";
export { isNodePool } from "./pool.ts";
export { type CallControl, guarded } from "./progress.ts";
export { Semaphore } from "./semaphore.ts";
export { type Fields, type FieldType, type FieldValues, pack, type Struct, struct } from "./struct.ts";
export { checkedThreads, threadsProblem } from "./threads.ts";
export { Turns } from "./turns.ts";
export { VERSION } from "./version.ts";

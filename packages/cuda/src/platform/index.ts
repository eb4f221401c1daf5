/** The machine: the addon, its devices, page-locked memory, and the limits of memory's speed. */
export {
  type CeilingOptions,
  type CopyCeiling,
  copyCeiling,
  type ReadCeiling,
  readCeiling,
} from "./ceiling.ts";
export { type Choice, type CudaOptions, chooseDevices, wantedDevices } from "./devices.ts";
export { coded, failure } from "./errors.ts";
export { loaded, PLATFORMS, remedy } from "./loader.ts";
export { deviceMemory, pinned } from "./memory.ts";

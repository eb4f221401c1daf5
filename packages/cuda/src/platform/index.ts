/** The machine: the addon, its devices and page-locked memory. */
export { deviceLimits } from "./device-limits.ts";
export { type Choice, type CudaOptions, chooseDevices, wantedDevices } from "./devices.ts";
export { coded, failure } from "./errors.ts";
export { addon, loaded } from "./loader.ts";
export { deviceMemory, pinned } from "./memory.ts";

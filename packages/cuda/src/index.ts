export { cuda } from "./backend.ts";
export type { DeviceMemory } from "./border/index.ts";
export { type CudaOptions, deviceMemory, pinned } from "./platform/index.ts";

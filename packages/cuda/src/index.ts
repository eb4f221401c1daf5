export { cuda } from "./backend.ts";
export {
  type CeilingOptions,
  type CopyCeiling,
  copyCeiling,
  type ReadCeiling,
  readCeiling,
} from "./ceiling.ts";
export type { CudaOptions } from "./choice.ts";
export { deviceMemory, pinned } from "./memory.ts";
export type { DeviceMemory, ReadRow } from "./native.ts";

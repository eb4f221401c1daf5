export { cuda } from "./backend.ts";
export type { DeviceMemory, ReadRow } from "./border/index.ts";
export {
  type CeilingOptions,
  type CopyCeiling,
  type CudaOptions,
  copyCeiling,
  deviceMemory,
  pinned,
  type ReadCeiling,
  readCeiling,
} from "./platform/index.ts";

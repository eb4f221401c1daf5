export { deviceLimits } from "./device-limits.ts";
export {
  poolLimits,
  WORKER_CELLS,
  WORKER_CHUNK_BYTES,
  WORKER_SIDE_BY_SIDE,
  WORKER_STARTS_AFTER,
} from "./limits.ts";
export { copyTo, inShared } from "./shared-memory.ts";
export {
  allocateVisible,
  giveRegions,
  takeRegions,
  type Visible,
  VisibleInstances,
  visibleOf,
} from "./visible.ts";
export { instantiate, type Wasm } from "./wasm.ts";

export { deviceLimits } from "./device-limits.ts";
export { limits } from "./limits.ts";
export { inShared } from "./shared-memory.ts";
export { instantiate, type Wasm } from "./wasm.ts";

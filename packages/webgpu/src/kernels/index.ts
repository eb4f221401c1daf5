export { Catalog } from "./catalog.ts";
export type { Chunk, Data, Dispatch, Scratch, Texels } from "./dispatch.ts";
export { gridFor, gridOf, plainThreads } from "./grid.ts";
export type { Composed, CountKernel, CountShape, Room, Stage, SumsKernel, WebgpuKernel } from "./kernel.ts";
export { deviceLowering } from "./lowering.ts";
export { COUNT_FIELDS, PARAMS_STRIDE, packed, paramsOf, type SumsValues, type Values } from "./params.ts";
export { SHADERS } from "./shaders.ts";
export { codesTexts, extent, extentParams, fold, gather, lower, packTexels, read } from "./steps/index.ts";
export { roundUnits, sumsKernel, UNITS } from "./sums.ts";

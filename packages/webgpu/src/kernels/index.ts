export { fusedText } from "./fused/tables.ts";
export { SHADERS } from "./generated/shaders.ts";
export { Catalog } from "./lib/catalog.ts";
export type { Chunk, Data, Dispatch, Scratch, Texels } from "./lib/dispatch.ts";
export { type Grid, gridFor, gridOf, plainThreads } from "./lib/grid.ts";
export type {
  Composed,
  CountKernel,
  CountShape,
  Room,
  Stage,
  SumsKernel,
  WebgpuKernel,
} from "./lib/kernel.ts";
export { lookupConsts, startCopies } from "./lib/lookup-consts.ts";
export { type DeviceLowering, deviceLowering } from "./lib/lowering.ts";
export {
  COUNT_FIELDS,
  PARAMS_STRIDE,
  PARTIAL_FIELDS,
  packed,
  paramsOf,
  type SumsValues,
  type Values,
} from "./lib/params.ts";
export { CUTS, LISTED_WORDS, NO_SEGMENTS, type SegmentValues } from "./lib/segments.ts";
export { roundUnits, sumsKernel, UNITS } from "./lib/sums.ts";
export {
  codesTexts,
  extent,
  extentParams,
  fold,
  gather,
  lower,
  merge,
  packTexels,
  regroup,
  sumTexts,
} from "./steps/index.ts";

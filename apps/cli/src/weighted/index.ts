export { weightedCommand } from "./command.ts";
export { mergeWeighted } from "./merging.ts";
export { isWeightedPart } from "./part-head.ts";

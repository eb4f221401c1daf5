export { addSums, type BinSums, noSums } from "./bin-sums.ts";
export { ExactSums } from "./exact-sums.ts";
export { exponentOfLimb, Limbs } from "./limbs.ts";
export * as limits from "./limits.ts";
export { S32_MAX, WEIGHED_SAMPLES, WEIGHT_ADDENDS, WEIGHT_COLUMNS } from "./limits.ts";
export { checkAddends, checkFinite, checkSquares } from "./sample-weights.ts";
export { exponentOf, quantumOf, type ScaledWeights, scaledWeights, unscaled } from "./scale.ts";
export {
  type ErrorBound,
  errorBoundOf,
  scaledForTable,
  type TableWeights,
  tableWeights,
} from "./table-weights.ts";
export {
  binaryOrder,
  givenWeights,
  largest,
  largestInteger,
  ownWeights,
  PRECISIONS,
  type Precision,
  powerOfTwo,
  type Weights,
} from "./weights.ts";

/**
 * Numbers, thresholds, look-up tables and distances from histograms. The package has no dependencies and loads nothing from
 * core: it works on core's results, and on any object with the same properties.
 */
export { type Bounded, type Counted, centers, type FlowOptions } from "./cells.ts";
export { clahe, type Plane } from "./clahe/clahe.ts";
export { type ClaheGrid, claheGrid, clahePadded, type GridOptions, type Size } from "./clahe/grid.ts";
export { claheMapped } from "./clahe/interpolate.ts";
export { type ClaheOptions, claheTables, type SegmentedCounts } from "./clahe/tables.ts";
export {
  bhattacharyya,
  type ChiSquareOptions,
  chiSquare,
  correlation,
  earthMovers,
  intersection,
  type JensenShannonOptions,
  jensenShannon,
  totalVariation,
} from "./distances.ts";
export { AnalysisError, type AnalysisErrorCode } from "./error.ts";
export {
  correlationRatio,
  type InformationOptions,
  type JointCounts,
  mutualInformation,
  normalizedMutualInformation,
  type RatioOptions,
} from "./joint.ts";
export { kolmogorovSmirnov } from "./kolmogorov-smirnov.ts";
export { type EntropyOptions, entropy, mean, mode, type VarianceOptions, variance } from "./moments.ts";
export { cdf, cdfAt, median, quantile, quantiles } from "./quantiles.ts";
export { type ApplyOptions, applyTable } from "./tables/apply.ts";
export { equalize } from "./tables/equalize.ts";
export { type GammaOptions, gamma } from "./tables/gamma.ts";
export type { Bits, Levels, Table } from "./tables/levels.ts";
export { match } from "./tables/match.ts";
export { type StretchOptions, stretch } from "./tables/stretch.ts";
export { isodata } from "./thresholds/isodata.ts";
export { li } from "./thresholds/li.ts";
export { type MinimumOptions, minimum } from "./thresholds/minimum.ts";
export { type MultiOtsuOptions, multiOtsu } from "./thresholds/multi-otsu.ts";
export { otsu } from "./thresholds/otsu.ts";
export { triangle } from "./thresholds/triangle.ts";
export { yen } from "./thresholds/yen.ts";

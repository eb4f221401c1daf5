export { type Encoded, Engine, type Skipped } from "./engine.ts";
export { type OpenOptions, openEngine } from "./open.ts";
export type { EncodeOptions, HistogramOptions, Progress } from "./options.ts";
export { FeatureTable } from "./table/table.ts";
export type { WeightedHistogramOptions } from "./weigh/weigh.ts";
export type { SumsOptions, WeightingOptions } from "./weighting-options.ts";

export type { Counter } from "./counter.ts";
export type { Skipped } from "./device-engine.ts";
export type { Encoded } from "./encode.ts";
export { Engine } from "./engine.ts";
export type { CountRequest, Explanation } from "./explain.ts";
export type { JointCounter, JointCounterInput, JointPrepareOptions } from "./joint/counter.ts";
export type { JointColumnRequest, JointCountRequest, JointExplanation } from "./joint/explain.ts";
export type {
  Groups,
  JointColumnInput,
  JointOptions,
  JointSource,
  Mask,
  SelectedOptions,
  StreamColumn,
} from "./joint/options.ts";
export type { WeightedJointOptions, WeightedSelectedOptions } from "./joint/weigh.ts";
export { type OpenOptions, openEngine } from "./open.ts";
export type { EncodeOptions, HistogramOptions, PrepareOptions, Progress } from "./options.ts";
export type { SegmentedOptions } from "./segmented-options.ts";
export type { SegmentedResident } from "./segmented-resident.ts";
export type { FeatureTable } from "./table/table.ts";
export type { WeightedHistogramOptions } from "./weigh/weigh.ts";
export type { SumsOptions } from "./weighting-options.ts";

export type { Counter } from "./counter/counter.ts";
export type { Encoded } from "./encode.ts";
export type { Skipped } from "./engine/device-engine.ts";
export { Engine } from "./engine/engine.ts";
export type { CountRequest, Explanation, PlainRequest } from "./explain.ts";
export { type OpenOptions, openEngine } from "./open.ts";
export type { EncodeOptions, HistogramOptions, PrepareOptions, Progress } from "./options/options.ts";
export type { SegmentedOptions, WeightedSegmentedOptions } from "./options/segmented-options.ts";
export type {
  GivenWeights,
  Groups,
  JointColumnInput,
  JointOptions,
  JointSource,
  Mask,
  PerWeights,
  SelectedOptions,
  StreamColumn,
  WeightedHistogramOptions,
  WeightedJointOptions,
  WeightedSelectedOptions,
} from "./options/selection-options.ts";
export type { SumsOptions } from "./options/weighting-options.ts";
export type { JointCounter, JointCounterInput } from "./run/columns-counter.ts";
export type {
  GroupsRequest,
  JointColumnRequest,
  JointPrepareOptions,
  WeightType,
} from "./run/columns-request.ts";
export type { SegmentedResident } from "./run/segmented-resident.ts";
export type { FeatureTable } from "./table/table.ts";

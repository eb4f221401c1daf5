export type { Counter } from "./counter.ts";
export type { Skipped } from "./device-engine.ts";
export type { Encoded } from "./encode.ts";
export { Engine } from "./engine.ts";
export type { CountRequest, Explanation, PlainRequest } from "./explain.ts";
export { type OpenOptions, openEngine } from "./open.ts";
export type { EncodeOptions, HistogramOptions, PrepareOptions, Progress } from "./options.ts";
export type { JointCounter, JointCounterInput } from "./run/columns-counter.ts";
export type { GroupsRequest, JointColumnRequest, JointPrepareOptions } from "./run/columns-request.ts";
export type { SegmentedOptions, WeightedSegmentedOptions } from "./segmented-options.ts";
export type { SegmentedResident } from "./segmented-resident.ts";
export type {
  GivenWeights,
  Groups,
  JointColumnInput,
  JointOptions,
  JointSource,
  Mask,
  SelectedOptions,
  StreamColumn,
  WeightedHistogramOptions,
  WeightedJointOptions,
  WeightedSelectedOptions,
} from "./selection-options.ts";
export type { FeatureTable } from "./table/table.ts";
export type { SumsOptions } from "./weighting-options.ts";

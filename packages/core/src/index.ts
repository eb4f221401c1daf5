export type { Slug, WeightedSlug } from "./algorithms/index.ts";
export {
  type Axis,
  boolean,
  category,
  circular,
  integer,
  log,
  power,
  quantiles,
  regular,
  variable,
} from "./axis/index.ts";
export type { Backend, Probe } from "./backend/index.ts";
export { type ErrorCode, isPolybinError, PolybinError } from "./base/index.ts";
export { cpu } from "./cpu/index.ts";
export {
  type Counter,
  type CountRequest,
  type Encoded,
  type EncodeOptions,
  Engine,
  type Explanation,
  FeatureTable,
  type Groups,
  type HistogramOptions,
  type JointColumnInput,
  type JointColumnRequest,
  type JointCounter,
  type JointCounterInput,
  type JointCountRequest,
  type JointExplanation,
  type JointOptions,
  type JointPrepareOptions,
  type JointSource,
  type Mask,
  type OpenOptions,
  openEngine,
  type PrepareOptions,
  type Progress,
  type SegmentedOptions,
  SegmentedResident,
  type SelectedOptions,
  type Skipped,
  type SumsOptions,
  type WeightedHistogramOptions,
} from "./engine/index.ts";
export {
  type ByteStream,
  type Countable,
  type Extent,
  type External,
  type FeatureTableInit,
  type FileInput,
  fileSamples,
  type Resident,
  type SamplesInit,
  type SampleType,
  type SegmentsInit,
} from "./input/index.ts";
export { indices } from "./lowering/index.ts";
export type { JointPlan, Plan } from "./plan/index.ts";
export {
  type AnyHistogram,
  Grouped,
  Histogram,
  histogramsFromJSON,
  JointHistogram,
  MeanHistogram,
  Segmented,
  type TableSums,
  type TableSumsOnly,
  type Timings,
  type UhiHistogram,
  type Weighed,
  WeightedHistogram,
} from "./result/index.ts";
export type { Weights } from "./weights/index.ts";

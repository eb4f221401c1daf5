export { algorithms, SLUGS, WEIGHTED_SLUGS, weightedAlgorithms } from "./algorithms/index.ts";
export { describeChoice, type HybridChoice } from "./algorithms/weighted-hybrid.ts";
export {
  type Axis,
  dataRange,
  edgesOf,
  type IntegerAxis,
  integer,
  type RegularAxis,
  regular,
  type VariableAxis,
  variable,
  wholeRange,
} from "./axis.ts";
export type {
  Backend,
  ChannelCounts,
  CountJob,
  Device,
  DeviceInput,
  DeviceTimings,
  EncodeJob,
  External,
  FeatureGroup,
  FeatureSums,
  FileSamples,
  Input,
  Partial,
  Probe,
  Resident,
  ResidentTable,
  RunOptions,
  SumsJob,
  SumsPartial,
} from "./backend.ts";
export type { Binned, Flow } from "./binned.ts";
export { cpu } from "./cpu.ts";
export { type CountsLayout, type Encoded, Engine, type Skipped } from "./engine.ts";
export { type ErrorCode, type ErrorDetails, expected, isPolybinError, PolybinError } from "./errors.ts";
export { type Extent, extentOf, joinExtents, NO_EXTENT } from "./extent.ts";
export { checkFile, type FileInit, type FileInput, type FileState, fileSamples } from "./file.ts";
export {
  type AnyHistogram,
  Histogram,
  histogramsFromJSON,
  type Provenance,
  type ReadAs,
  type Timings,
} from "./histogram.ts";
export { indices } from "./indices.ts";
export { valueOfKey } from "./keys.ts";
export * as limits from "./limits.ts";
export {
  type ConstantLowering,
  codeOfValue,
  type DirectLowering,
  type Guess,
  type Key,
  type KeysLowering,
  type Lowering,
  lower,
  lowerInto,
  NAN,
  OVERFLOW,
  type TableLowering,
  UNDERFLOW,
} from "./lowering.ts";
export { type MeanBin, MeanHistogram } from "./mean-histogram.ts";
export { checkNames, checkObject, checkSwitch, type NamesOf } from "./names.ts";
export { type OpenOptions, openEngine } from "./open.ts";
export {
  checkedThreads,
  type EncodeOptions,
  type HistogramOptions,
  type Progress,
} from "./options.ts";
export {
  type Algorithm,
  type DeviceLimits,
  describePlan,
  type LaneTables,
  type Launch,
  type LaunchRequest,
  type Parameters,
  type Plan,
  type PlanRequest,
  plan,
  planOrReason,
  type Slug,
} from "./plan.ts";
export { quantiles } from "./quantiles.ts";
export { type AxisOptions, axisBeforehand, type BinRange, binsOf } from "./range.ts";
export {
  type LookupSize,
  lookupSizeOf,
  type RankedType,
  type RankGuess,
  type Ranks,
  rankOf,
  ranksOf,
} from "./ranks.ts";
export { HostResident, samplesOf } from "./resident.ts";
export {
  arrayOver,
  bitsOf,
  bytesFrom,
  checkedChannels,
  checkedWhole,
  isSamplesInit,
  type Region,
  runs,
  SAMPLE_TRAITS,
  SAMPLE_TYPES,
  type SampleArray,
  type Samples,
  type SamplesInit,
  type SampleTraits,
  type SampleType,
  samples,
} from "./samples.ts";
export { Semaphore } from "./semaphore.ts";
export type { Countable } from "./source.ts";
export type { ByteStream } from "./stream.ts";
export { type Fields, type FieldType, type FieldValues, pack, type Struct, struct } from "./struct.ts";
export type {
  UhiAxis,
  UhiCounts,
  UhiHistogram,
  UhiMeans,
  UhiRecord,
  UhiScalar,
  UhiStorage,
  UhiSums,
  UhiWeightedSums,
} from "./uhi/schema.ts";
export { addSums, type BinSums } from "./weighted/bin-sums.ts";
export type { WeightedHistogramOptions } from "./weighted/histogram.ts";
export type { SumsOptions, WeightingOptions } from "./weighted/options.ts";
export {
  describeWeightedPlan,
  rowBytes,
  VALUE_TRAITS,
  VALUE_TYPES,
  type ValueType,
  type WeightedAlgorithm,
  type WeightedInput,
  type WeightedLaunch,
  type WeightedMethod,
  type WeightedParameters,
  type WeightedPlan,
  type WeightedRequest,
  type WeightedSlug,
  weightedPlan,
  weightedPlanOrReason,
} from "./weighted/plan.ts";
export { exponentOf, scaledWeights } from "./weighted/scale.ts";
export { FeatureTable } from "./weighted/table.ts";
export type { TableSums, TableSumsOnly } from "./weighted/table-sums.ts";
export {
  type FeatureTableInit,
  HostTable,
  type TableValues,
  tableValuesOf,
  valuesOf,
} from "./weighted/values.ts";
export { type Weighed, WeightedHistogram, type WeightedNumbers } from "./weighted/weighted-histogram.ts";
export { largestInteger, type Precision, type Weights } from "./weighted/weights.ts";

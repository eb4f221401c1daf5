export { Binned, type Flow, type Provenance, type Timings } from "./binned.ts";
export type { ChannelCounts, DeviceTimings, FeatureSums, SegmentCounts } from "./counted.ts";
export { type AnyHistogram, Histogram as CountedHistogram, type ReadAs } from "./histogram.ts";
export { HostCounts } from "./host-counts.ts";
export { Grouped } from "./joint/grouped.ts";
export {
  type AnyJointHistogram,
  type JointCells,
  JointHistogram as CountedJointHistogram,
  type ReadJoint,
} from "./joint/joint-histogram.ts";
export { type MeanCells, MeanJointHistogram } from "./joint/mean-joint-histogram.ts";
export { ReadableJointHistogram as JointHistogram } from "./joint/reading.ts";
export { oneAxis } from "./joint/single.ts";
export {
  type WeightedCells,
  type WeightedJointCells,
  WeightedJointHistogram,
} from "./joint/weighted-joint-histogram.ts";
export { type MeanBin, MeanHistogram } from "./mean-histogram.ts";
export {
  addCode,
  addCounts,
  type Counts,
  cellsAreBins,
  countsFrom,
  noCounts,
  regrouped,
} from "./merge.ts";
export { mergeJoint, type PlaceMap, resultCells } from "./merge-joint.ts";
export { mergeFeature, type Totals } from "./merge-sums.ts";
export { histogramsFromJSON, ReadableHistogram as Histogram } from "./reading.ts";
export { checkRow, needsDoubles, newRows, type Rows, regroupedRows, rowsOfCode } from "./rows.ts";
export { type RowNumbers, Segmented as CountedSegments, type SegmentedOf } from "./segmented.ts";
export { ReadableSegmented as Segmented } from "./segmented-reading.ts";
export { type TableSums, type TableSumsOnly, tableSumsOf } from "./table-sums.ts";
export type {
  UhiAxis,
  UhiCounts,
  UhiHistogram,
  UhiJointHistogram,
  UhiMeans,
  UhiRecord,
  UhiScalar,
  UhiStorage,
  UhiSums,
  UhiWeightedSums,
} from "./uhi/schema.ts";
export {
  type Weighed,
  WeightedHistogram as WeighedHistogram,
  type WeightedNumbers,
} from "./weighted-histogram.ts";
export { ReadableWeightedHistogram as WeightedHistogram } from "./weighted-reading.ts";

export { Binned } from "./binned.ts";
export type { Flow } from "./cells.ts";
export type { ChannelCounts, DeviceTimings, FeatureSums, SegmentCounts } from "./counted.ts";
export { Grouped } from "./grouped.ts";
export { type AnyHistogram, Histogram as CountedHistogram, type ReadAs } from "./histogram.ts";
export { HostCounts } from "./host-counts.ts";
export {
  type AnyJointHistogram,
  type JointCells,
  JointHistogram as CountedJointHistogram,
  type ReadJoint,
} from "./joint-histogram.ts";
export { type MeanBin, MeanHistogram } from "./mean-histogram.ts";
export { type MeanCells, MeanJointHistogram } from "./mean-joint-histogram.ts";
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
export type { Provenance, Timings } from "./provenance.ts";
export {
  histogramsFromJSON,
  ReadableHistogram as Histogram,
  ReadableJointHistogram as JointHistogram,
  ReadableWeightedHistogram as WeightedHistogram,
} from "./reading.ts";
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
export {
  type WeightedCells,
  type WeightedJointCells,
  WeightedJointHistogram,
} from "./weighted-joint-histogram.ts";

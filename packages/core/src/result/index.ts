export { Binned, type Flow, type Provenance, type Timings } from "./binned.ts";
export type { ChannelCounts, DeviceTimings, FeatureSums, SegmentCounts } from "./counted.ts";
export { type AnyHistogram, Histogram as CountedHistogram, type ReadAs } from "./histogram.ts";
export { HostCounts } from "./host-counts.ts";
export { type JointCells, JointHistogram } from "./joint-histogram.ts";
export { type MeanBin, MeanHistogram } from "./mean-histogram.ts";
export {
  addCode,
  addCounts,
  type Counts,
  cellsAreBins,
  countsFrom,
  noCounts,
} from "./merge.ts";
export { mergeJoint, type PlaceMap } from "./merge-joint.ts";
export { mergeFeature, type Totals } from "./merge-sums.ts";
export { Histogram, histogramsFromJSON } from "./reading.ts";
export { checkRow, needsDoubles, newRows, type Rows, rowsOfCode } from "./rows.ts";
export { type RowNumbers, Segmented, type SegmentedOf } from "./segmented.ts";
export { type TableSums, type TableSumsOnly, tableSumsOf } from "./table-sums.ts";
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
export { type Weighed, WeightedHistogram, type WeightedNumbers } from "./weighted-histogram.ts";

export { histogramOf, jointOf } from "./count.ts";
export type { GroupedBy, GroupKey } from "./grouped-by.ts";
export type {
  ColumnHistogramOptions,
  ColumnsJointOptions,
  CountProgress,
  ResultOf,
  WeightNames,
} from "./options.ts";

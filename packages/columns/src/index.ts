/**
 * Typed columns from tables in files, URLs and streams, by pieces and in bounded memory. For Node.
 */
export {
  compare,
  histogram,
  joint,
  profile,
  type TableCompareOptions,
  type TableHistogramOptions,
  type TableJointOptions,
  type TableProfileOptions,
  type TableSource,
} from "./calls.ts";
export type {
  ColumnHistogramOptions,
  ColumnsJointOptions,
  CountProgress,
  GroupedBy,
  GroupKey,
  ResultOf,
  WeightNames,
} from "./count/index.ts";
export { type FindTablesOptions, findTables } from "./find.ts";
export { textReader } from "./formats/index.ts";
export { type OpenTableOptions, openInOrder, openTable, openTables } from "./open.ts";
export { type PartitionType, type PartitionTypes, partitionTypes } from "./partitions.ts";
export {
  type Allow,
  type ByteSource,
  type Location,
  openSource,
  type SourceOptions,
  type SourceReadOptions,
} from "./source/index.ts";
export type {
  BadRows,
  Batch,
  Chunk,
  CodesChunk,
  ColumnInfo,
  ColumnStatistics,
  CountsBatch,
  CountsChunk,
  LogicalType,
  Part,
  ReadCountsOptions,
  ReadOptions,
  ReadProgress,
  StatisticValue,
  StringsChunk,
  Table,
  TimeUnit,
  Validity,
  ValueArray,
  ValuesChunk,
} from "./table/index.ts";
export {
  addToBins,
  adviceFor,
  type BinCounts,
  freeing,
  keptTables,
  readAhead,
  statedExtent,
} from "./table/index.ts";
export { widened, widerTypes } from "./wider.ts";

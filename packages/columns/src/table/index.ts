export { adviceFor } from "./advice.ts";
export { addToBins, type BinCounts } from "./bin-counts.ts";
export {
  checkColumnCount,
  checkColumns,
  checkReadOptions,
  type PickedColumn,
  pickColumns,
  pickParts,
  quoted,
  uniqueNames,
  unknownColumn,
  withUniqueNames,
} from "./columns.ts";
export { asDamage, becauseOf, damaged, fault } from "./error.ts";
export type { CommonOptions, Format } from "./format.ts";
export { JoinedTable } from "./joined-table.ts";
export { type KeptTable, keptTables } from "./kept-table.ts";
export { MAX_COLUMNS, MAX_STRUCTURES, PART_BYTES } from "./limits.ts";
export { discard, freeing, lend, lendAs } from "./memory.ts";
export { readAhead } from "./read-ahead.ts";
export { ReopenedTable } from "./reopened-table.ts";
export { canReread } from "./rereadable.ts";
export { sampleTypeOf } from "./sample-type.ts";
export { type End, type StatedExtent, statedExtent } from "./stated-extent.ts";
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
} from "./types.ts";
export { bothValid, isValid, valuesOf } from "./valid-values.ts";
export { WrappedTable } from "./wrapped-table.ts";

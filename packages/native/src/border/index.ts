export type {
  CellsInputs,
  Counter,
  CsvFound,
  CsvPart,
  CsvValues,
  Native,
  NativeCells,
  PackedJob,
  Told,
  Watch,
} from "./addon.ts";
export {
  CELLS,
  CSV,
  CSV_COLUMN,
  ENUMERATIONS,
  JOB,
  type JobValues,
  NAMED,
  packed,
  SEGMENTS,
  STRUCTS,
} from "./job.ts";

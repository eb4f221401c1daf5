export type {
  CellsInputs,
  Counter,
  Native,
  NativeCells,
  PackedJob,
  TextFound,
  TextPart,
  TextValues,
  Told,
  Watch,
} from "./addon.ts";
export {
  CELLS,
  CSV,
  ENUMERATIONS,
  JOB,
  type JobValues,
  NAMED,
  packed,
  SEGMENTS,
  STRUCTS,
  TEXT_COLUMN,
} from "./job.ts";

export { type Chunk, Chunks, type Geometry } from "./chunks.ts";
export { OrderReader } from "./order.ts";
export { InputError, readExactly } from "./read-file.ts";
export { geometryOf, type Reached, reach } from "./source.ts";
export {
  type Answer,
  addDone,
  type Control,
  type CountWork,
  isStopped,
  type Miscount,
  newControl,
  pixelsDone,
  type SegmentsTask,
  type SharedRows,
  type Source,
  type SumsAnswer,
  type SumsGroup,
  type SumsTask,
  stop,
  type Task,
  takeNext,
} from "./task.ts";

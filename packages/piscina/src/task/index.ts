export { type Chunk, Chunks } from "./chunks.ts";
export { OrderReader } from "./order.ts";
export { type Reached, reach } from "./source.ts";
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

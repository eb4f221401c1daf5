export { type Chunk, Chunks } from "./chunks.ts";
export { type Reached, reach } from "./source.ts";
export {
  type Answer,
  addDone,
  type Control,
  type CountWork,
  isStopped,
  newControl,
  pixelsDone,
  type Source,
  type SumsAnswer,
  type SumsGroup,
  type SumsTask,
  stop,
  type Task,
  takeNext,
} from "./task.ts";

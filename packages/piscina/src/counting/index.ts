export { BLOCK_SAMPLES, beginCells, cellLayout, takeCells } from "./cell-memory.ts";
export { type CellSources, cellReaderOf } from "./cell-reader.ts";
export { type Control, newControl, pixelsDone, type Steps, stop } from "./steps.ts";
export { blocksOf } from "./sums.ts";
export type {
  Answer,
  ChannelResult,
  ChannelsWork,
  Place,
  Reply,
  SumsGroup,
  Task,
} from "./task.ts";
export { type Modules, Thread } from "./thread.ts";

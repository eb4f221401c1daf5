export { BLOCK_SAMPLES, beginCells, type CellLayout, cellLayout, takeCells } from "./cell-memory.ts";
export { CellReader, type CellSources } from "./cell-reader.ts";
export { type Control, newControl, pixelsDone, type Steps, stop } from "./steps.ts";
export { blocksOf } from "./sums.ts";
export type {
  Answer,
  ChannelResult,
  ChannelsWork,
  Reply,
  SegmentsTask,
  SharedRows,
  SumsGroup,
  Supply,
  Task,
} from "./task.ts";
export { type Modules, Thread } from "./thread.ts";

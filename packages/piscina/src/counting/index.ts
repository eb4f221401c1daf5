export { type Belt, freeSlot, newBelt, putPiece, takePiece } from "./belt.ts";
export { BLOCK_SAMPLES, beginCells, cellLayout, takeCells } from "./cell-memory.ts";
export { type CellSources, cellReaderOf } from "./cell-reader.ts";
export {
  type Control,
  closePlace,
  end,
  isStopped,
  newControl,
  pixelsDone,
  stop,
  takePlace,
  wake,
} from "./control.ts";
export {
  nextShared,
  type OwnSteps,
  onceOver,
  type SharedSteps,
  type Step,
  type Steps,
  stepAt,
} from "./steps.ts";
export { blocksOf } from "./sums.ts";
export type {
  Answer,
  ChannelResult,
  ChannelsWork,
  Message,
  Reply,
  SumsGroup,
  Task,
} from "./task.ts";
export { type Modules, Thread } from "./thread.ts";

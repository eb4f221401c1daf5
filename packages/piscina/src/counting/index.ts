export {
  BLOCK_SAMPLES,
  beginCells,
  type CellLayout,
  cellLayout,
  giveTable,
  takeCells,
  takeTable,
} from "./cell-memory.ts";
export { CellReader, type CellSources } from "./cell-reader.ts";
export type { CellTask } from "./cell-task.ts";
export { CellCounter } from "./cells.ts";
export { type ChannelCounter, type ChannelResult, channelCounter } from "./channel.ts";
export { Lowerer } from "./lowerer.ts";
export { visibleCounters } from "./visible.ts";

export { Pool } from "./dispatch/pool.ts";
export { prepareCells } from "./prepare/cells.ts";
export { extentOn, prepareChannels } from "./prepare/channels.ts";
export { prepareColumns } from "./prepare/columns.ts";
export { prepareSegments } from "./prepare/segments.ts";
export { prepareSums } from "./prepare/sums.ts";

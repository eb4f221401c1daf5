export { checkTask, checkType } from "./check-task.ts";
export { decodePartial, encodePartial } from "./codec.ts";
export { mergePartials } from "./merge.ts";
export { decodePart, encodePart, type Part, partText } from "./part.ts";
export { missingShards, type Partial, partialKey, type Run, shardNames } from "./partial.ts";
export type { ColumnExtent, Counts, Payload, Row } from "./payload.ts";
export { type Cut, checkShard, type Shard, type ShardRead, shardsOf } from "./shard.ts";
export { type Count, type Task, type TaskColumn, type TaskFile, taskId } from "./task.ts";

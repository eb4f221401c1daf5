export { type RunOptions, runShard, type ShardProgress } from "./run.ts";

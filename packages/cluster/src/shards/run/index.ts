export { type RunOptions, runShard } from "./run.ts";

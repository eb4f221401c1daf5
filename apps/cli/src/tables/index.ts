export { countAll } from "./all.ts";
export { columnsIn, countFiles, countShard, nameOf, planOf, type TableInput, type What } from "./count.ts";
export { LeftOut, tellGuesses } from "./notes.ts";
export { readPart, shardPart, writePart } from "./part.ts";
export { described, jointResult } from "./result.ts";
export { spooled, unspooled } from "./spool.ts";

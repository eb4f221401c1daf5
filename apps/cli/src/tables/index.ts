export { countAll } from "./all.ts";
export {
  columnsIn,
  countFiles,
  countShard,
  nameOf,
  openShared,
  planOf,
  type TableInput,
  type What,
} from "./count.ts";
export { LeftOut, tellGuesses } from "./notes.ts";
export { readPart, readTwo, shardPart, writePart, writeTwo } from "./part.ts";
export { described, jointResult } from "./result.ts";
export { spooled, unspooled } from "./spool.ts";

// Made by scripts/generate.mjs: change what it is made from, and build.
import { reset_per_lane } from "./per-lane/kernel.as";
import { reset_trish } from "./trish/kernel.as";
import { clear } from "./lib/memory.as";

export { CHUNK, CODES, COUNTS, FLOW, LOWERING, STARTS } from "./lib/memory.as";
export * from "./lib/lower.as";
export * from "./lib/weighted.as";
export * from "./per-lane/kernel.as";
export * from "./per-thread/kernel.as";
export * from "./trish/kernel.as";

/** Clears COUNTS and whatever an unfinished job left in the tables. */
export function reset(): void {
  clear();
  reset_per_lane();
  reset_trish();
}

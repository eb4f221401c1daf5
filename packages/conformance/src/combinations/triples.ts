import type { Some } from "./pairs.ts";

/** Values that failed together before. They occur together in every run. */
export const TRIPLES: readonly Some[] = [
  // 64-bit integers on the device are rounded down, which an infinite end does not mind.
  { type: "u64", axis: "variable infinite", input: "resident" },
];

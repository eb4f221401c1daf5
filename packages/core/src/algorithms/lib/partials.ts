import { type DeviceLimits, divideCeiling, WARP_THREADS } from "../../base/index.ts";
import type { Launch, ParameterRule, Partials } from "../../plan/index.ts";
import { MERGE_CELLS, MERGE_THREADS } from "./limits.ts";

/** How the sums of blocks become counts. */
export type Reduce = "tables" | "atomic";

/**
 * Returns the rule of the parameter `reduce`. The default is what the algorithm's paper does: it writes one table per
 * block and launches a kernel that merges them, or it adds with global atomics.
 */
export function reduceRule(paper: Reduce): ParameterRule {
  return {
    title: "how blocks add up: one table per block and a kernel that merges them, or global atomics",
    default: paper,
    of: ["tables", "atomic"],
  };
}

/** Returns the part of a launch that says how its blocks add up. */
export function partialTables(
  reduce: Reduce,
  { blocks, cellsPerPass }: Pick<Launch, "blocks" | "cellsPerPass">,
  { blockThreads }: DeviceLimits,
): { readonly partials?: Partials } {
  if (reduce === "atomic") return {};
  // Threads are a power of two, because their sums are added in pairs. A row of threads without a table would be idle.
  const most = 2 ** Math.floor(Math.log2(Math.min(MERGE_THREADS, blockThreads)));
  const rows = 2 ** Math.ceil(Math.log2(blocks));
  return {
    partials: Object.freeze({
      tables: blocks,
      threads: Math.max(MERGE_CELLS, Math.min(most, Math.max(WARP_THREADS, rows * MERGE_CELLS))),
      blocks: divideCeiling(cellsPerPass, MERGE_CELLS),
    }),
  };
}

/** States that workers cannot add up with atomics, or returns null for what they do. */
export function notAtomic(slug: string, reduce: Reduce): string | null {
  if (reduce === "tables") return null;
  return `${slug} has no global atomics on workers: each has a table of its own, so choose tables for reduce`;
}

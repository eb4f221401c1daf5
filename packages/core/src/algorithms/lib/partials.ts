import { type DeviceLimits, divideCeiling, PolybinError, U32_MAX, WARP_THREADS } from "../../base/index.ts";
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

/** The sums of a pass as the kernels keep them: in partial tables of 32-bit words, or added to the counts at once. */
export class BlockSums {
  readonly #cells: number;
  readonly #partials: Partials | undefined;
  readonly #tables: readonly Uint32Array[];
  readonly #counts: Float64Array;

  /** @throws ERR_LIMIT if the merge kernel has too few blocks for the cells. */
  constructor(cells: number, { partials }: Pick<Launch, "partials">) {
    if (partials !== undefined && partials.blocks * MERGE_CELLS < cells) {
      throw new PolybinError(
        "ERR_LIMIT",
        `${partials.blocks} blocks do not merge ${cells} cells: the plan is wrong`,
      );
    }
    this.#cells = cells;
    this.#partials = partials;
    this.#tables = Array.from({ length: partials?.tables ?? 0 }, () => new Uint32Array(cells));
    this.#counts = new Float64Array(cells);
  }

  /**
   * Adds a sum of a block, any number of times. A cell past the pass's does not exist, and its sum is dropped.
   * @throws ERR_LIMIT if a word would overflow.
   */
  add(block: number, cell: number, sum: number): void {
    if (cell >= this.#cells) return;
    const to = this.#partials === undefined ? this.#counts : this.#tables[block]!;
    if (to[cell]! + sum > U32_MAX) {
      throw new PolybinError("ERR_LIMIT", "a block's sum would exceed 32 bits: the plan is wrong");
    }
    to[cell]! += sum;
  }

  /** Adds to a count with a global atomic, even if the block has a partial table. */
  addToCount(cell: number, sum: number): void {
    this.#counts[cell]! += sum;
  }

  /** Runs the merge kernel. @returns the counts of the pass. */
  counts(): Float64Array {
    for (let block = 0; block < (this.#partials?.blocks ?? 0); block++) this.#merge(block * MERGE_CELLS);
    return this.#counts;
  }

  /**
   * Merges the cells of one block. Thread t sums every `rows`-th table from t / MERGE_CELLS on, for one cell. Then the
   * rows are added in pairs, and one thread per cell adds to the count.
   */
  #merge(first: number): void {
    const rows = this.#partials!.threads / MERGE_CELLS;
    for (let cell = first; cell < Math.min(this.#cells, first + MERGE_CELLS); cell++) {
      const sums = new Uint32Array(rows);
      for (const [table, words] of this.#tables.entries()) sums[table % rows]! += words[cell]!;
      for (let half = rows / 2; half >= 1; half /= 2) {
        for (let row = 0; row < half; row++) sums[row]! += sums[row + half]!;
      }
      this.#counts[cell]! += sums[0]!;
    }
  }
}

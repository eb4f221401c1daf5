import { PolybinError, U32_MAX } from "../../base/index.ts";
import type { Launch, Partials } from "../../plan/index.ts";
import { MERGE_CELLS } from "./limits.ts";

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

import type { SamplePlan } from "../partial/plan.ts";
import { finished } from "../values/hash.ts";

const WORD = 2 ** 32;
/** Bits of the lower word of a hash, so that both are one double. */
const LOWER = 2 ** 21;
const GOLDEN = 0x9e37_79b1;
const SECOND = 0x85eb_ca77;

/**
 * The hashes of the rows of a part: numbers from 0 to 1 that look random, and depend on the seed, the place of the file, the
 * part and the row within it alone.
 */
export class RowHashes {
  readonly #upper: number;
  readonly #lower: number;

  /** @param part null for a table without parts */
  constructor(seed: number, file: number, part: number | null) {
    this.#upper = finished(finished(finished(seed ^ GOLDEN) ^ file) + (part ?? 0));
    this.#lower = finished(this.#upper ^ SECOND);
  }

  /** The upper 32 bits of a row's hash. Different rows have different ones. */
  upper(row: number): number {
    return finished(row ^ this.#upper);
  }

  /** The whole hash of a row. */
  hash(row: number): number {
    const upper = this.upper(row);
    return this.#whole(row, upper);
  }

  /** Adds to `to` the rows from `from` on whose hashes are below a bound, counted from `from`. */
  addBelow(below: number, from: number, count: number, to: number[]): void {
    const bound = Math.floor(below * WORD);
    for (let i = 0; i < count; i++) {
      const upper = this.upper(from + i);
      if (upper < bound || (upper === bound && this.#whole(from + i, upper) < below)) to.push(i);
    }
  }

  #whole(row: number, upper: number): number {
    return (upper + (finished(row ^ this.#lower) % LOWER) / LOWER) / WORD;
  }
}

/** Whether a part has a row of the sample. */
export function hasChosen({ seed, below }: SamplePlan, file: number, part: number, rows: number): boolean {
  const hashes = new RowHashes(seed, file, part);
  for (let row = 0; row < rows; row++) if (hashes.hash(row) < below) return true;
  return false;
}

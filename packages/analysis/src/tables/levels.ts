import { type Counted, checkOrdered, checkUnweighted, countsOf } from "../cells.ts";
import { AnalysisError } from "../error.ts";

/** A look-up table for samples of 8 bits (256 entries) or 16 bits (65,536 entries). */
export type Table = Uint8Array | Uint16Array;

/** A histogram with one bin per value: 256 or 65,536 bins. */
export type Levels = Pick<Counted, "counts" | "sums" | "edges" | "axis">;

/** Depths of tables. */
export type Bits = 8 | 16;

/** Creates a table whose entries are whole numbers of this depth. */
export function newTable(levels: number): Table {
  return levels === 256 ? new Uint8Array(levels) : new Uint16Array(levels);
}

/**
 * Returns the counts of a histogram with one bin per value of 8 or 16 bits.
 * @throws ERR_INPUT for invalid counts, or if there are no samples. ERR_AXIS for other bins. ERR_UNSUPPORTED for sums of
 * weights.
 */
export function levelCounts(histogram: Levels, name = "histogram"): Float64Array {
  const counts = countsOf(histogram, name);
  checkUnweighted(histogram, name);
  checkOrdered(histogram, name);
  const { edges } = histogram;
  const isLevels = counts.length === 256 || counts.length === 65_536;
  if (!isLevels || edges?.length !== counts.length + 1 || !counts.every((_, i) => edges[i] === i)) {
    throw new AnalysisError(
      "ERR_AXIS",
      `expected one bin per value for ${name}, integer(0, 256) or integer(0, 65536), but received ${counts.length} other bins`,
    );
  }
  if (!counts.some((count) => count > 0)) {
    throw new AnalysisError("ERR_INPUT", `expected samples in ${name} but received empty bins`);
  }
  return counts;
}

/** Rounds halves to the even neighbour, as C's `lrint` does. */
export function roundEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

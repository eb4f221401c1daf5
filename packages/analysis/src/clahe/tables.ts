import { type Counted, checkOrdered, countsOf } from "../cells.ts";
import { AnalysisError, checkedNumber, checkOptions } from "../error.ts";
import { newTable, roundEven, type Table } from "../tables/levels.ts";

/** Counts of tiles: core's `Segmented`, or any object with these properties. */
export interface SegmentedCounts {
  /** segments x bins numbers, row by row. */
  readonly counts: ArrayLike<number>;
  readonly segments: number;
  readonly bins: number;
  readonly edges: ArrayLike<number>;
  readonly axis?: Counted["axis"];
}

/** Options of `claheTables`. */
export interface ClaheOptions {
  /**
   * The limit of a bin, as a multiple of its count if a tile's samples were spread evenly. 0: no limit. Default: 40, as in
   * OpenCV.
   */
  readonly clipLimit?: number;
}

/**
 * Returns one equalizing table per tile, as OpenCV's CLAHE computes them. Counts above the limit are cut off and spread
 * evenly over all bins. The rest of this division goes to bins at even distances, one sample each. A table is the
 * running sum of these counts in single precision, scaled to all levels and rounded with halves to even.
 *
 * The number of samples of a tile is the sum of its row. OpenCV's tiles all have the same size, as those of `claheGrid`.
 * @param segmented counts with one bin per value: 256 or 65,536 bins.
 * @returns segments tables of 256 bytes or 65,536 16-bit numbers, one after the other.
 * @throws ERR_INPUT for invalid counts or a segment without samples. ERR_AXIS for other bins.
 */
export function claheTables(segmented: SegmentedCounts, options: ClaheOptions = {}): Table {
  checkOptions(options, ["clipLimit"]);
  const clipLimit = checkedNumber(options.clipLimit ?? 40, "clipLimit", 0);
  const { segments, bins } = checkedSegments(segmented);
  checkOrdered(segmented as Pick<Counted, "axis">, "segmented");
  const counts = countsOf(segmented as Pick<Counted, "counts">, "segmented");
  const tables = bins === 256 ? new Uint8Array(segments * bins) : new Uint16Array(segments * bins);
  for (let segment = 0; segment < segments; segment++) {
    const row = counts.subarray(segment * bins, (segment + 1) * bins);
    const samples = row.reduce((sum, count) => sum + count, 0);
    if (samples === 0) {
      throw new AnalysisError("ERR_INPUT", `expected samples in segment ${segment} but received none`);
    }
    if (clipLimit > 0) clip(row, Math.max(Math.trunc((clipLimit * samples) / bins), 1));
    tables.set(tableOf(row, samples), segment * bins);
  }
  return tables;
}

function checkedSegments({ counts, segments, bins, edges }: SegmentedCounts): {
  readonly segments: number;
  readonly bins: number;
} {
  const isLevels = (bins === 256 || bins === 65_536) && edges[0] === 0 && edges[bins] === bins;
  if (!isLevels) {
    throw new AnalysisError(
      "ERR_AXIS",
      `expected one bin per value for segmented, integer(0, 256) or integer(0, 65536), but received ${bins} other bins`,
    );
  }
  if (counts.length !== segments * bins) {
    throw new AnalysisError(
      "ERR_INPUT",
      `expected ${segments} x ${bins} counts for segmented but received ${counts.length}`,
    );
  }
  return { segments, bins };
}

/** Cuts counts above the limit and spreads what was cut over all bins, in place. */
function clip(row: Float64Array, limit: number): void {
  const bins = row.length;
  let clipped = 0;
  for (let i = 0; i < bins; i++) {
    if (row[i]! > limit) {
      clipped += row[i]! - limit;
      row[i] = limit;
    }
  }
  const share = Math.floor(clipped / bins);
  for (let i = 0; i < bins; i++) row[i]! += share;
  const rest = clipped - share * bins;
  const step = Math.max(Math.floor(bins / rest), 1);
  for (let i = 0, left = rest; i < bins && left > 0; i += step, left--) row[i]! += 1;
}

function tableOf(row: Float64Array, samples: number): Table {
  const most = row.length - 1;
  const scale = Math.fround(Math.fround(most) / Math.fround(samples));
  const table = newTable(row.length);
  let sum = 0;
  for (let i = 0; i < row.length; i++) {
    sum += row[i]!;
    table[i] = Math.min(roundEven(Math.fround(Math.fround(sum) * scale)), most);
  }
  return table;
}

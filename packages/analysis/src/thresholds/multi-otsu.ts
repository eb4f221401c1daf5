import type { Bounded, Counted } from "../cells.ts";
import { AnalysisError, checkedWhole, checkOptions } from "../error.ts";
import { trimmed } from "./trimmed.ts";

/** Options of `multiOtsu`. */
export interface MultiOtsuOptions {
  /** Number of classes, 2 to 5. The call returns one threshold less. Default: 3. */
  readonly classes?: number;
}

const MAX_CLASSES = 5;
/** The search tries all combinations, which takes seconds at this number. 256 bins and 5 classes have 1.7 * 10^8. */
const MAX_COMBINATIONS = 2 ** 28;
/** Above this number of bins, the table of all pairs would need more than 2 GiB. */
const MAX_BINS = 32_768;

/**
 * Returns Otsu's thresholds for several classes, ascending: those with the largest variance between the classes. They
 * equal scikit-image's `threshold_multiotsu(classes=classes, hist=(counts, centers))`, whose single precision they share.
 *
 * `value`, `low` and `high` mean the same as for `otsu`. Samples outside the bins take no part.
 *
 * Source: P.-S. Liao, T.-S. Chen, P.-C. Chung, "A fast algorithm for multilevel thresholding", Journal of Information
 * Science and Engineering 17 (5), 2001.
 * @throws ERR_INPUT, ERR_AXIS for an invalid histogram or number of classes. ERR_INPUT if fewer bins than classes hold
 * samples.
 * @throws ERR_LIMIT for more combinations of bins and classes than the call can try, or above 32,768 bins.
 */
export function multiOtsu(histogram: Counted, options: MultiOtsuOptions = {}): readonly Bounded[] {
  checkOptions(options, ["classes"]);
  const classes = checkedWhole(options.classes ?? 3, "classes", 2, MAX_CLASSES);
  const { counts, at } = trimmed(histogram);
  const filled = [...counts.keys()].filter((i) => counts[i]! > 0);
  if (filled.length < classes) {
    throw new AnalysisError(
      "ERR_INPUT",
      `expected samples in at least ${classes} bins for ${classes} classes but received ${filled.length}`,
    );
  }
  if (filled.length === classes) return filled.slice(0, -1).map(at);
  checkSize(counts.length, classes);
  return best(counts, classes - 1).map(at);
}

function checkSize(bins: number, classes: number): void {
  let combinations = 1;
  for (let i = 1; i < classes; i++) combinations *= (bins - i) / i;
  if (bins <= MAX_BINS && combinations <= MAX_COMBINATIONS) return;
  throw new AnalysisError(
    "ERR_LIMIT",
    `expected at most ${MAX_COMBINATIONS} combinations of thresholds but ${bins} bins and ${classes} classes have ` +
      `${Math.round(combinations)}; count into fewer bins`,
  );
}

/** The term of every class in single precision (H in the paper): that of bins i to j is `terms[rows[i] + j]`. */
interface Terms {
  readonly terms: Float32Array;
  readonly rows: Int32Array;
}

/**
 * Tries all thresholds in lexicographic order and keeps the first with the largest sum of the classes' terms. The order of
 * the additions is the original's: the first class, the last one, then those between.
 */
function best(counts: Float64Array, thresholds: number): readonly number[] {
  const f32 = Math.fround;
  const bins = counts.length;
  const { terms, rows } = termsOf(Float32Array.from(counts));
  const lasts = Float32Array.from({ length: bins - 1 }, (_, bin) => terms[rows[bin + 1]! + bins - 1]!);
  const found = { sum: 0, thresholds: new Array<number>(thresholds).fill(0) };
  const search = (before: readonly number[], from: number): void => {
    const depth = before.length;
    const end = bins - thresholds + depth;
    if (depth < thresholds - 1) {
      for (let bin = from; bin < end; bin++) search([...before, bin], bin + 1);
      return;
    }
    const between = before.slice(1).map((bin, i) => terms[rows[before[i]! + 1]! + bin]!);
    const first = depth > 0 ? terms[before[0]!]! : 0;
    const row = rows[from]!;
    for (let bin = from; bin < end; bin++) {
      let sum = f32((depth > 0 ? first : terms[bin]!) + lasts[bin]!);
      for (let i = 0; i < between.length; i++) sum = f32(sum + between[i]!);
      if (depth > 0) sum = f32(sum + terms[row + bin]!);
      if (sum > found.sum) Object.assign(found, { sum, thresholds: [...before, bin] });
    }
  };
  search([], 0);
  return found.thresholds;
}

function termsOf(counts: Float32Array): Terms {
  const bins = counts.length;
  const f32 = Math.fround;
  const [zeroth, first] = [new Float32Array(bins), new Float32Array(bins)];
  zeroth[0] = first[0] = counts[0]!;
  for (let i = 1; i < bins; i++) {
    zeroth[i] = zeroth[i - 1]! + counts[i]!;
    first[i] = first[i - 1]! + f32(i * counts[i]!);
  }
  const terms = new Float32Array((bins * (bins + 1)) / 2);
  const rows = new Int32Array(bins);
  for (let i = 0, at = 0; i < bins; i++) {
    rows[i] = at - i;
    for (let j = i; j < bins; j++, at++) {
      const weight = i === 0 ? zeroth[j]! : f32(zeroth[j]! - zeroth[i - 1]!);
      const moment = i === 0 ? first[j]! : f32(first[j]! - first[i - 1]!);
      // The original leaves the term of the first bin alone at 0.
      if (weight > 0 && j > 0) terms[at] = f32(moment * moment) / weight;
    }
  }
  return { terms, rows };
}

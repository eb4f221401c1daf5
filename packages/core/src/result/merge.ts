import { PolybinError } from "../base/index.ts";
import { type Lowering, NAN, OVERFLOW, UNDERFLOW } from "../lowering/index.ts";
import { type ChannelsPlan, rawShift } from "../plan/index.ts";
import type { ChannelCounts } from "./counted.ts";

/** Exact counts of one channel. */
export interface Counts {
  readonly counts: Float64Array;
  underflow: number;
  overflow: number;
  nan: number;
  /** Number of samples that a mask left out. Absent: none. */
  readonly masked?: number;
}

export function noCounts(bins: number): Counts {
  return { counts: new Float64Array(bins), underflow: 0, overflow: 0, nan: 0 };
}

/** Adds `amount` samples of one code. */
export function addCode(to: Counts, code: number, amount: number): void {
  const bins = to.counts.length;
  if (code < bins) to.counts[code] = to.counts[code]! + amount;
  else if (code === bins + UNDERFLOW) to.underflow += amount;
  else if (code === bins + OVERFLOW) to.overflow += amount;
  else if (code === bins + NAN) to.nan += amount;
}

/** Adds counts with the same number of bins. */
export function addCounts(to: Counts, from: Counts): void {
  for (let bin = 0; bin < to.counts.length; bin++) to.counts[bin]! += from.counts[bin]!;
  to.underflow += from.underflow;
  to.overflow += from.overflow;
  to.nan += from.nan;
}

/**
 * Converts counts over one axis into those over another.
 * @param codes the new code of each old one: bins, underflow, overflow, NaN
 */
export function regrouped(of: Counts, codes: Uint32Array, bins: number): Counts {
  const { counts, underflow, overflow, nan, ...masked } = of;
  const to = { ...noCounts(bins), ...masked };
  for (const [code, amount] of [...counts, underflow, overflow, nan].entries()) {
    addCode(to, codes[code]!, amount);
  }
  return to;
}

/** Returns true if a device's cells are exactly the bins. */
export function cellsAreBins({ raw, cells, bins }: ChannelsPlan, lowering: Lowering): boolean {
  if (cells !== bins) return false;
  return !raw || (lowering.kind === "table" && lowering.table.every((code, value) => code === value));
}

/**
 * Converts a device's counts into bins. If the cells are exactly the bins, the result uses the device's array without
 * a copy, unless the array is a view of a larger buffer.
 * @param areBins the result of `cellsAreBins`.
 * @throws ERR_MISCOUNT as `mergeChannel` does.
 */
export function countsFrom(
  from: ChannelCounts,
  plan: ChannelsPlan,
  lowering: Lowering,
  areBins: boolean,
  samples: number,
): Counts {
  const { cells, flow, total } = from;
  if (!areBins || cells.length !== plan.cells) {
    const counts = noCounts(plan.bins);
    mergeChannel(counts, from, plan, lowering, samples);
    return counts;
  }
  const underflow = flow[UNDERFLOW]!;
  const overflow = flow[OVERFLOW]!;
  const nan = flow[NAN]!;
  // NaN makes the check below fail if one of them is negative.
  const added = () =>
    underflow >= 0 && overflow >= 0 && nan >= 0 ? underflow + overflow + nan + sumOf(cells) : Number.NaN;
  const seen = total ?? added();
  if (seen !== samples) throw miscounted(plan, samples, seen);
  return { counts: isWhole(cells) ? cells : cells.slice(), underflow, overflow, nan };
}

/** Adds counts; NaN if one is negative. Two independent sums overlap, since an addition takes longer than a load. */
function sumOf(cells: Float64Array): number {
  const even = cells.length - (cells.length % 2);
  let left = 0;
  let right = 0;
  let least = 0;
  for (let cell = 0; cell < even; cell += 2) {
    const a = cells[cell]!;
    const b = cells[cell + 1]!;
    left += a;
    right += b;
    if (a < least) least = a;
    if (b < least) least = b;
  }
  if (even < cells.length) {
    left += cells[even]!;
    least = Math.min(least, cells[even]!);
  }
  return least < 0 ? Number.NaN : left + right;
}

/** A view would keep its whole buffer alive, and copy all of it when the result is cloned. */
function isWhole({ buffer, byteLength }: Float64Array): boolean {
  return buffer.byteLength === byteLength;
}

/**
 * Adds a device's counts to the bins. Raw cells, the values of 8-bit samples or their upper bits, are mapped by the
 * lowering's table.
 * @throws ERR_MISCOUNT if samples were lost or counted twice. No result is better than a wrong one.
 */
export function mergeChannel(
  to: Counts,
  from: ChannelCounts,
  plan: ChannelsPlan,
  lowering: Lowering,
  samples: number,
): void {
  const { cells, flow } = from;
  const shift = rawShift(plan);
  let seen = 0;
  for (let cell = 0; cell < plan.cells; cell++) {
    const amount = cells[cell]!;
    // NaN prevents a negative count, such as a wrapped counter, from cancelling another error.
    seen += amount < 0 ? Number.NaN : amount;
    const code = plan.raw && lowering.kind === "table" ? lowering.table[cell << shift]! : cell;
    if (amount > 0) addCode(to, code, amount);
  }
  for (const kind of [UNDERFLOW, OVERFLOW, NAN]) {
    seen += flow[kind]! < 0 ? Number.NaN : flow[kind]!;
    addCode(to, to.counts.length + kind, flow[kind]!);
  }
  if (seen !== samples) throw miscounted(plan, samples, seen);
}

function miscounted({ algorithm }: ChannelsPlan, samples: number, seen: number): PolybinError {
  return new PolybinError(
    "ERR_MISCOUNT",
    `expected counts of ${samples} samples but the device returned ${seen}; the result was discarded`,
    { algorithm },
  );
}

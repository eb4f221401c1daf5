import { PolybinError } from "../base/index.ts";
import { type Lowering, NAN, OVERFLOW, UNDERFLOW } from "../lowering/index.ts";
import type { Plan } from "../plan/index.ts";
import type { ChannelCounts } from "./counted.ts";

/** Exact counts of one channel. */
export interface Counts {
  readonly counts: Float64Array;
  underflow: number;
  overflow: number;
  nan: number;
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

/** Adds counts of as many bins. */
export function addCounts(to: Counts, from: Counts): void {
  for (let bin = 0; bin < to.counts.length; bin++) to.counts[bin]! += from.counts[bin]!;
  to.underflow += from.underflow;
  to.overflow += from.overflow;
  to.nan += from.nan;
}

/** Are a device's cells the bins as they are? */
export function cellsAreBins({ raw, cells, bins }: Plan, lowering: Lowering): boolean {
  if (cells !== bins) return false;
  return !raw || (lowering.kind === "table" && lowering.table.every((code, value) => code === value));
}

/**
 * What a device counted, in the bins. Cells that are the bins as they are become the result's.
 * @param areBins what `cellsAreBins` says
 * @throws ERR_MISCOUNT as `mergeChannel` does.
 */
export function countsFrom(
  from: ChannelCounts,
  plan: Plan,
  lowering: Lowering,
  areBins: boolean,
  samples: number,
): Counts {
  const { cells, flow } = from;
  if (!areBins || cells.length !== plan.cells || !isWhole(cells)) {
    const counts = noCounts(plan.bins);
    mergeChannel(counts, from, plan, lowering, samples);
    return counts;
  }
  const underflow = flow[UNDERFLOW]!;
  const overflow = flow[OVERFLOW]!;
  const nan = flow[NAN]!;
  let seen = underflow + overflow + nan;
  let isNegative = underflow < 0 || overflow < 0 || nan < 0;
  for (let cell = 0; cell < cells.length; cell++) {
    const amount = cells[cell]!;
    seen += amount;
    if (amount < 0) isNegative = true;
  }
  if (seen !== samples || isNegative) throw miscounted(plan, samples, isNegative ? Number.NaN : seen);
  return { counts: cells, underflow, overflow, nan };
}

/** A part of other memory would hold all of that, and take it along where the result is cloned. */
function isWhole({ buffer, byteLength }: Float64Array): boolean {
  return buffer.byteLength === byteLength;
}

/**
 * Brings what a device counted into the bins: raw cells, the 256 values of 8-bit samples, go through the
 * lowering's table.
 * @throws ERR_MISCOUNT when samples were lost or counted twice; no result is better than a wrong one.
 */
export function mergeChannel(
  to: Counts,
  from: ChannelCounts,
  plan: Plan,
  lowering: Lowering,
  samples: number,
): void {
  const { cells, flow } = from;
  let seen = 0;
  for (let cell = 0; cell < plan.cells; cell++) {
    const amount = cells[cell]!;
    // A negative count, a wrapped counter say, must not make up for another one.
    seen += amount < 0 ? Number.NaN : amount;
    const code = plan.raw && lowering.kind === "table" ? lowering.table[cell]! : cell;
    if (amount > 0) addCode(to, code, amount);
  }
  for (const kind of [UNDERFLOW, OVERFLOW, NAN]) {
    seen += flow[kind]! < 0 ? Number.NaN : flow[kind]!;
    addCode(to, to.counts.length + kind, flow[kind]!);
  }
  if (seen !== samples) throw miscounted(plan, samples, seen);
}

function miscounted({ algorithm }: Plan, samples: number, seen: number): PolybinError {
  return new PolybinError(
    "ERR_MISCOUNT",
    `expected counts of ${samples} samples but the device returned ${seen}; the result was thrown away`,
    { algorithm },
  );
}

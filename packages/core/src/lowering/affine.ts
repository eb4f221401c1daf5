import { HALF_VALUES } from "../base/index.ts";
import type { Ranks } from "./ranks.ts";

/**
 * Evenly spaced edges over 16-bit samples without a lookup, flow included, and without the upper half of a product:
 *
 *   distance = clamp(key, base, top) - base          below 2^16
 *   rank = (distance * scale + offset) >> shift
 *
 * Keys below the first threshold fall on the key before it, those of overflow on theirs.
 */
export interface Affine {
  readonly base: number;
  readonly top: number;
  /** Below 2^32. */
  readonly scale: number;
  readonly offset: number;
  /** Below 32 where all of it stays below 2^32; else 32, and it stays below 2^48. */
  readonly shift: number;
}

/** The affine map by which every threshold of evenly spaced ones begins where it should; null where there is none. */
export function affineOf({ low, bins, scale: isEven }: Ranks): Affine | null {
  if (isEven === null) return null;
  const base = Math.max(low[0]! - 1, 0);
  const top = low.length > bins ? low[bins]! : HALF_VALUES - 1;
  const at = Array.from(low, (key) => key - base);
  const most = top - base;
  const ranks = at.length + 1;
  const narrow = 32 - Math.ceil(Math.log2(ranks));
  for (const shift of [narrow, 32]) {
    const unit = 2 ** shift;
    const room = shift === 32 ? 2 ** 48 : 2 ** 32;
    // Offsets with which no threshold begins too late, and none too early.
    const least = (scale: number) => at.reduce((low, d, i) => Math.max(low, (i + 1) * unit - d * scale), 0);
    const before = (scale: number) =>
      at.reduce(
        (high, d, i) => (d === 0 ? high : Math.min(high, (i + 1) * unit - 1 - (d - 1) * scale)),
        Math.min(ranks * unit, room) - 1 - most * scale,
      );
    // What is between them has one top: how much room a scale leaves first grows, then falls.
    const slack = (scale: number) => before(scale) - least(scale);
    let [from, to] = [0, 2 ** Math.min(shift, 31)];
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      if (slack(middle + 1) > slack(middle)) from = middle + 1;
      else to = middle;
    }
    if (slack(from) >= 0) return { base, top, scale: from, offset: least(from), shift };
  }
  return null;
}

/** A sample's row by its key: the executable specification of a kernel's arithmetic. */
export function affineRank({ base, top, scale, offset, shift }: Affine, key: number): number {
  return Math.floor(((Math.min(Math.max(key, base), top) - base) * scale + offset) / 2 ** shift);
}

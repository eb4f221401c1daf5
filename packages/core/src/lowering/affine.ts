import { HALF_VALUES } from "../base/index.ts";
import type { Ranks } from "./ranks.ts";

/**
 * Maps 16-bit samples to evenly spaced bins and flow without a lookup, and without the upper half of a product:
 *
 *   distance = clamp(key, base, top) - base          below 2^16
 *   rank = (distance * scale + offset) >> shift
 *
 * Keys below the first threshold clamp to the key before it. Keys of overflow clamp to the threshold of overflow.
 */
export interface Affine {
  readonly base: number;
  readonly top: number;
  /** Below 2^32. */
  readonly scale: number;
  readonly offset: number;
  /** Below 32 if all intermediate values stay below 2^32. Otherwise 32, and they stay below 2^48. */
  readonly shift: number;
}

/** Returns an affine map that places every threshold of evenly spaced edges exactly, or null if there is none. */
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
    // The range of offsets for which no threshold begins too late (least) or too early (before).
    const least = (scale: number) => at.reduce((low, d, i) => Math.max(low, (i + 1) * unit - d * scale), 0);
    const before = (scale: number) =>
      at.reduce(
        (high, d, i) => (d === 0 ? high : Math.min(high, (i + 1) * unit - 1 - (d - 1) * scale)),
        Math.min(ranks * unit, room) - 1 - most * scale,
      );
    // The range has a single peak: as the scale grows, its width first grows and then shrinks.
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

/** Maps a key to a sample's row. This is the executable specification of a kernel's arithmetic. */
export function affineRank({ base, top, scale, offset, shift }: Affine, key: number): number {
  return Math.floor(((Math.min(Math.max(key, base), top) - base) * scale + offset) / 2 ** shift);
}

/** Bins side by side, with several per column if there are more bins than columns. */
export interface Columns {
  /** The tallest bin of each column, so that a lone spike is seen among any number of bins. */
  readonly heights: readonly number[];
  /** Bins per column. The last column may have fewer. */
  readonly binsEach: number;
}

/** Distributes bins evenly over at most `room` columns. */
export function columnsOf(counts: ArrayLike<number>, room: number): Columns {
  const binsEach = Math.ceil(counts.length / room);
  const heights = new Array<number>(Math.ceil(counts.length / binsEach)).fill(0);
  for (let bin = 0; bin < counts.length; bin++) {
    const column = Math.floor(bin / binsEach);
    heights[column] = Math.max(heights[column]!, counts[bin]!);
  }
  return { heights, binsEach };
}

/** A scale is logarithmic if the tallest bin is more than this factor above the mean of the filled ones. */
const LOG_FROM = 12;

/** The scale by which counts become heights. */
export type Scale = "linear" | "log";

/** Chooses a logarithmic scale if a few bins would flatten all others of a channel. */
export function scaleFor(channels: readonly ArrayLike<number>[]): Scale {
  const flat = (counts: ArrayLike<number>) => {
    let [filled, sum, tallest] = [0, 0, 0];
    for (let bin = 0; bin < counts.length; bin++) {
      if (counts[bin]! > 0) filled += 1;
      sum += counts[bin]!;
      tallest = Math.max(tallest, counts[bin]!);
    }
    return tallest * filled > LOG_FROM * sum;
  };
  return channels.some(flat) ? "log" : "linear";
}

/** The power of ten at or below the smallest count, where a logarithmic axis begins. */
export function logFloor(channels: readonly ArrayLike<number>[]): number {
  let least = Infinity;
  for (const counts of channels) {
    for (let bin = 0; bin < counts.length; bin++) if (counts[bin]! > 0) least = Math.min(least, counts[bin]!);
  }
  return Number.isFinite(least) ? 10 ** Math.floor(Math.log10(least)) : 1;
}

/** The height of a count, where the tallest is 1. @param floor where a logarithmic scale begins, or null for a linear one */
export function heightOf(count: number, tallest: number, floor: number | null): number {
  if (count === 0 || tallest === 0) return 0;
  if (floor === null || tallest === floor) return count / tallest;
  return Math.log(count / floor) / Math.log(tallest / floor);
}

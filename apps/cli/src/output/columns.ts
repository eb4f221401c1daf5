/** Bins drawn side by side, several to a column where there are more bins than room. */
export interface Columns {
  /** The tallest bin of each column: a lone spike stays in sight however many bins there are. */
  readonly heights: readonly number[];
  /** Bins a column; the last may have fewer. */
  readonly binsEach: number;
}

/** Lays bins into at most `room` columns of equally many bins. */
export function columnsOf(counts: ArrayLike<number>, room: number): Columns {
  const binsEach = Math.ceil(counts.length / room);
  const heights = new Array<number>(Math.ceil(counts.length / binsEach)).fill(0);
  for (let bin = 0; bin < counts.length; bin++) {
    const column = Math.floor(bin / binsEach);
    heights[column] = Math.max(heights[column]!, counts[bin]!);
  }
  return { heights, binsEach };
}

/** Logarithmic when the filled bins' mean is less than the tallest one by this factor: it would look flat. */
const LOG_FROM = 12;

/** How counts become heights. */
export type Scale = "linear" | "log";

/** Logarithmic where a few bins would press all others of a channel to the floor. */
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

/** The power of ten at or below the smallest count there is: where a logarithmic axis begins. */
export function logFloor(channels: readonly ArrayLike<number>[]): number {
  let least = Infinity;
  for (const counts of channels) {
    for (let bin = 0; bin < counts.length; bin++) if (counts[bin]! > 0) least = Math.min(least, counts[bin]!);
  }
  return Number.isFinite(least) ? 10 ** Math.floor(Math.log10(least)) : 1;
}

/** Height of a count as a part of the tallest, 0 to 1; `floor` null on a linear scale, else where the logarithmic one begins. */
export function heightOf(count: number, tallest: number, floor: number | null): number {
  if (count === 0 || tallest === 0) return 0;
  if (floor === null || tallest === floor) return count / tallest;
  return Math.log(count / floor) / Math.log(tallest / floor);
}

import { heightOf, logFloor, scaleFor } from "@polybin/columns/plots";

const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** Counts as one line of blocks: sums of neighbouring bins, on a logarithmic scale if few bins would flatten the others. */
export function sparkline(counts: readonly number[], room: number): string {
  const columns = Math.min(counts.length, room);
  const sums = Array.from({ length: columns }, (_, i) => {
    const [from, to] = [0, 1].map((by) => Math.floor(((i + by) * counts.length) / columns));
    return counts.slice(from, to).reduce((sum, count) => sum + count, 0) / (to! - from!);
  });
  const tallest = Math.max(0, ...sums);
  if (tallest === 0) return "";
  const floor = scaleFor([sums]) === "log" ? logFloor([sums]) : null;
  return sums
    .map((sum) => {
      if (sum === 0) return " ";
      // A bin with a single sample is seen, too.
      const level = Math.round(heightOf(sum, tallest, floor) * (LEVELS.length - 1));
      return LEVELS[Math.max(0, level)]!;
    })
    .join("");
}

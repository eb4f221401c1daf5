const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** Counts as one line of blocks, on a linear scale: the means of neighbouring bins. */
export function sparkline(counts: readonly number[], room: number): string {
  const columns = Math.min(counts.length, room);
  const means = Array.from({ length: columns }, (_, i) => {
    const [from, to] = [
      Math.floor((i * counts.length) / columns),
      Math.floor(((i + 1) * counts.length) / columns),
    ];
    return counts.slice(from, to).reduce((sum, count) => sum + count, 0) / (to - from);
  });
  const tallest = Math.max(...means);
  // A bin with a single sample is seen, too.
  return means
    .map((mean) => (mean === 0 ? " " : LEVELS[Math.round((mean / tallest) * (LEVELS.length - 1))]!))
    .join("");
}

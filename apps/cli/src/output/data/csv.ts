import type { Result } from "../result.ts";

/**
 * One row per bin: bin,lo,hi and one count per channel. If samples lie outside the bins, rows without edges follow:
 * underflow, overflow, nan.
 */
export function toCsv({ channels }: Result): string {
  const { edges, bins } = channels[0]!.histogram;
  const header = channels.length === 1 ? ["count"] : channels.map(({ name }) => name);
  const lines = [["bin", "lo", "hi", ...header].join(",")];
  for (let bin = 0; bin < bins; bin++) {
    lines.push([bin, edges[bin], edges[bin + 1], ...channels.map((c) => c.histogram.counts[bin])].join(","));
  }
  for (const flow of ["underflow", "overflow", "nan"] as const) {
    const counts = channels.map(({ histogram }) => histogram[flow]);
    if (counts.some((count) => count > 0)) lines.push([flow, "", "", ...counts].join(","));
  }
  return `${lines.join("\n")}\n`;
}

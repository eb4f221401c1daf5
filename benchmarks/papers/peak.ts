import { median } from "../src/runner/statistics.ts";
import { countersOf } from "./causes.ts";
import type { Measured } from "./measured.ts";

/**
 * Returns the peak throughput of the device's memory in GB/s, as ncu sees it: the bytes per nanosecond that a kernel read,
 * divided by the share of the peak that ncu reports for it. Null if ncu did not run.
 */
export function peakOf(measured: Measured): number | null {
  const peaks = countersOf(measured).flatMap(({ terms }) => {
    const [bytes, time, share] = ["DRAM bytes read", "Time (ns)", "DRAM throughput %"].map(
      (term) => terms[term]?.value,
    );
    return bytes && time && share ? [bytes / time / (share / 100)] : [];
  });
  return peaks.length === 0 ? null : median(peaks);
}

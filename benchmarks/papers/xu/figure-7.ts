import type { Measured } from "../measured.ts";
import type { Point } from "../model.ts";
import { readOf } from "../page/hardware.ts";
import { countersOf, memoryOf } from "./counters.ts";
import { asInPaper, byBins, pointsOf } from "./rows.ts";

/** The best N_unroll for each number of bins, since Table 5 varies it. */
export function fastestUnrolled(measured: Measured): Point[] {
  const rows = [...measured.sums("Figure 7"), ...measured.sums("Table 5")];
  const shown = asInPaper(
    rows.filter(({ algorithm, weighted }) => algorithm === "weighted-collision-free" && !weighted.skip),
  );
  const own = rows.filter(({ algorithm }) => algorithm === "weighted-fixed-point");
  return [...pointsOf(shown, byBins), ...pointsOf(own, byBins)].toSorted((a, b) => a.y - b.y);
}

/** Bytes between memory and caches per second, in percent of a plain read. */
export function memoryShares(measured: Measured): Point[] {
  const read = readOf(measured);
  return countersOf(measured, "Table 5").flatMap((one) => {
    const gbps = memoryOf(one);
    if (gbps === null || read === null) return [];
    return [{ series: "achieved memory throughput", x: one.bins, y: (gbps / read) * 100 }];
  });
}

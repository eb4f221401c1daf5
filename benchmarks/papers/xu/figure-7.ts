import type { WeightedCounters } from "../../src/suites/weighted-counters.ts";
import { claimOf, numbersOf } from "../data.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Point } from "../model.ts";
import { readOf } from "../page/hardware.ts";
import { countersOf, memoryOf } from "./counters.ts";
import { asInPaper, byBins, bytesFor, fastestByBins, pointsOf } from "./rows.ts";

/** The best N_unroll for each number of bins, since Table 5 varies it. */
export function fastestUnrolled(measured: Measured): Point[] {
  const rows = [...measured.sums("Figure 7"), ...measured.sums("Table 5")];
  const shown = asInPaper(freeRows(measured));
  const own = rows.filter(({ algorithm }) => algorithm === "weighted-fixed-point");
  return [...pointsOf(shown, byBins), ...pointsOf(own, byBins)].toSorted((a, b) => a.y - b.y);
}

/** Returns ncu's counters of the kernels that the fastest row for each number of bins ran. */
export function countedAsPlotted(measured: Measured): WeightedCounters[] {
  const plotted = fastestByBins(asInPaper(freeRows(measured)));
  const counted = [...countersOf(measured, "Table 5"), ...countersOf(measured, "Figure 7")];
  return counted.filter(({ bins, cell }) =>
    plotted.some(
      ({ bins: of, weighted: { unroll, fetch } }) =>
        of === bins && unroll === cell.unroll && (fetch ?? "value") === (cell.fetch ?? "value"),
    ),
  );
}

function freeRows(measured: Measured): SumsRow[] {
  return [...measured.sums("Figure 7"), ...measured.sums("Table 5")].filter(
    ({ algorithm, weighted }) => algorithm === "weighted-collision-free" && !weighted.skip,
  );
}

/** Bytes between memory and caches per second, in percent of a plain read, where ncu counted the kernel of the first panel's point. */
export function memoryShares(measured: Measured): Point[] {
  const read = readOf(measured);
  return countedAsPlotted(measured).flatMap((one) => {
    const gbps = memoryOf(one);
    if (gbps === null || read === null) return [];
    return [{ series: "achieved memory throughput", x: one.bins, y: (gbps / read) * 100 }];
  });
}

/** 10^9 documents per second of the first panel. */
export function documentsByBins(measured: Measured): Point[] {
  return fastestUnrolled(measured).map(({ series, x, y }) => ({ series, x, y: y / bytesFor(Number(x)) }));
}

/** How many documents the paper's 2 bins count per document of its 128: by the text's conversion of half bytes, and by Table 3's. */
export function documentFactors(): { readonly low: number; readonly high: number } {
  const at = (x: number) => numbersOf("xu", "figure-7", "throughput").find((point) => point.x === x)!.y;
  const [few, many] = [at(2), at(128) / bytesFor(128)];
  const text = claimOf("xu", "table-3", "documents of half bytes") / claimOf("xu", "table-3", "half bytes");
  return { low: (few * text) / many, high: few / bytesFor(2) / many };
}

/** Bytes that kernels as published read from memory per second, in percent of a plain read. */
export function publishedMemoryShares(measured: Measured): Point[] {
  const read = readOf(measured);
  return measured.publishedCounters("xu Figure 7").flatMap(({ row: { bins, published }, terms }) => {
    const [bytes, time] = ["DRAM bytes read", "Time (ns)"].map((term) => terms[term]?.value);
    if (bytes == null || !time || read === null || published.launch !== "paper") return [];
    return [{ series: "achieved memory throughput", x: bins, y: (bytes / time / read) * 100 }];
  });
}

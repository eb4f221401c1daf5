import { numbersOf } from "../data.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Point } from "../model.ts";
import { digits, value } from "../readings/index.ts";
import { asInPaper, fastestByBins } from "./rows.ts";

/** The value of a parameter with which a method is the fastest, by bins. */
export function bestParameters(measured: Measured, series: string, parameter: "warps" | "buffer"): Point[] {
  const rows = measured.sums("Table 6").filter(({ algorithm }) => algorithm === `weighted-${series}`);
  return fastestByBins(asInPaper(rows)).flatMap((row) => {
    const y = row.weighted[parameter];
    return y === undefined ? [] : [{ series, x: row.bins, y }];
  });
}

/** The row with the paper's parameters, and our fastest, for each number of bins. */
function pairs(measured: Measured, series: string) {
  const rows = asInPaper(
    measured.sums("Table 6").filter(({ algorithm }) => algorithm === `weighted-${series}`),
  );
  return fastestByBins(rows).flatMap((best) => {
    const [warps, buffer] = ["warps", "buffer"].map(
      (panel) => value(numbersOf("xu", "table-6", panel), { series, x: best.bins }) ?? undefined,
    );
    const same = rows.find(
      ({ bins, weighted }) => bins === best.bins && weighted.warps === warps && weighted.buffer === buffer,
    );
    return same === undefined ? [] : [{ best, same }];
  });
}

/** Throughput with the paper's parameters, as a share of our best. */
export function sharesOfBest(measured: Measured, series: string): Point[] {
  return pairs(measured, series).map(({ best, same }) => ({
    series,
    x: best.bins,
    y: same.gbps / best.gbps,
  }));
}

/** Names the parameters that gain most over the paper's. */
export function betterElsewhere(measured: Measured, series: string): string | null {
  const worst = pairs(measured, series).toSorted(
    (a, b) => a.same.gbps / a.best.gbps - b.same.gbps / b.best.gbps,
  )[0];
  if (worst === undefined) return null;
  const parameters = ({ weighted: { warps, buffer } }: SumsRow) =>
    `N_warp = ${warps}${buffer === undefined ? "" : ` and N_buffer = ${buffer}`}`;
  const { best, same } = worst;
  return `With ${digits(best.bins)} bins ${parameters(best)} reaches ${digits(best.gbps)} GB/s, and the paper's ${parameters(same)} ${digits(same.gbps)} GB/s.`;
}

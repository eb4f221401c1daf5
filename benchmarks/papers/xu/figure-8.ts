import { claimOf } from "../data.ts";
import { AsPublished, type Measured } from "../measured.ts";
import type { Point } from "../model.ts";
import { asInPaper } from "./rows.ts";

/** The best throughput divided by that without unrolling, for the collision-free method (Figure 4) and for this one. */
export function gainsOfUnrolling(measured: Measured, withWords = false): Point[] {
  const gain = (figure: string, x: string, warpsWanted?: number) => {
    const rows = asInPaper(measured.sums(figure)).filter(
      // Words have several documents, so they cannot be unrolled less than that.
      ({ weighted }) =>
        (withWords || weighted.fetch !== "word") &&
        (warpsWanted === undefined || weighted.warps === warpsWanted),
    );
    const one = rows.find(({ weighted }) => weighted.unroll === 1)?.gbps;
    const best = Math.max(...rows.map(({ gbps }) => gbps));
    return one === undefined ? [] : [{ series: "gain of unrolling", x, y: best / one }];
  };
  return [
    ...gain("Figure 4", "collision-free"),
    ...gain("Figure 8", "collision", claimOf("xu", "figure-8", "warps")),
  ];
}

/** The same of the kernels as published, whose N_unroll counts words. */
export function publishedGainsOfUnrolling(measured: Measured): Point[] {
  return gainsOfUnrolling(new AsPublished(measured), true);
}

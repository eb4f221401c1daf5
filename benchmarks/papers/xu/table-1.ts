import type { Measured } from "../measured.ts";
import type { Point } from "../model.ts";
import { asInPaper, pointsOf } from "./rows.ts";
import { freeAndOthers } from "./table-7.ts";

/** Few bins are up to this number (6.3). */
const FEW = 128;
const [SPARSE, DENSE] = ["sparse: 90% zeros, skipped", "dense: no zeros, runs of 256"] as const;

/** Both methods for many bins on a sparse feature (Figure 11) and on a dense one (Figure 10). */
export function sparseAndDense(measured: Measured): Point[] {
  const sparse = asInPaper(measured.sums("Figure 11")).filter(
    ({ bins, weighted }) => bins === 1024 && weighted.zeroShare === 0.9 && weighted.skip,
  );
  const dense = asInPaper(measured.sums("Figure 10")).filter(
    ({ distribution }) => distribution === "0% zeros, runs of 256",
  );
  const points = [
    ...pointsOf(sparse, () => SPARSE).map((point) => ({
      ...point,
      series: point.series.replace(", zeros skipped", ""),
    })),
    ...pointsOf(dense, () => DENSE),
  ];
  return points.filter(({ series }) => series === "collision" || series === "collision-reduced");
}

/** The collision-free method, and the better of the other two, for few bins. */
export function betterOfOthers(measured: Measured): Point[] {
  return freeAndOthers(measured)
    .filter(({ bins }) => bins <= FEW)
    .flatMap(({ bins, free, others }) => [
      { series: "collision-free", x: bins, y: free },
      { series: "better of the others", x: bins, y: others },
    ]);
}

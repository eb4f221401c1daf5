import type { Measured } from "../measured.ts";
import type { Figure, Point } from "../model.ts";
import { ratioSide, ratios, rule } from "../readings/index.ts";
import { asInPaper, byBins, pointsOf } from "./rows.ts";

const [paper, id] = ["xu", "table-1"] as const;
const [collision, reduced, FREE, OTHERS] = [
  "collision",
  "collision-reduced",
  "collision-free",
  "better of the others",
] as const;
/** Few bins are up to this number (6.3). */
const FEW = [2, 4, 8, 16, 32, 64, 128];
const [SPARSE, DENSE] = ["sparse: 90% zeros, skipped", "dense: no zeros, runs of 256"] as const;

/** Both methods for many bins on a sparse feature (Figure 11) and on a dense one (Figure 10). */
function large(measured: Measured): Point[] {
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
  return points.filter(({ series }) => series === collision || series === reduced);
}

/** The collision-free method, and the better of the other two, for few bins. */
function small(measured: Measured): Point[] {
  const points = pointsOf(asInPaper(measured.sums("Table 7")), byBins);
  return FEW.flatMap((bins) => {
    const [free, ...others] = [FREE, collision, reduced].map(
      (name) => points.find(({ series, x }) => series === name && x === bins)?.y,
    );
    if (free === undefined || others.some((gbps) => gbps === undefined)) return [];
    const best = Math.max(...(others as number[]));
    return [
      { series: FREE, x: bins, y: free },
      { series: OTHERS, x: bins, y: best },
    ];
  });
}

export const table1: Figure = {
  paper,
  id,
  title: "Table 1: the method for each kind of feature",
  source: "4.5 and Table 1",
  lost: "numbers. The table names methods",
  needs: "gpu",
  command: "run bench weighted-paper weighted-parameters weighted-shapes",
  panels: [
    {
      id: "small",
      title: "Few bins: throughput by bins",
      mark: "bar",
      x: { label: "bins", scale: "category" },
      y: { label: "GB/s of values", scale: "linear" },
      paper: [],
      wanted: [FREE, OTHERS].flatMap((series) => FEW.map((x) => ({ series, x }))),
      ours: small,
    },
    {
      id: "large",
      title: "1,024 bins: throughput by kind of feature",
      mark: "bar",
      x: { label: "feature", scale: "category" },
      y: { label: "GB/s of values", scale: "linear" },
      paper: [],
      wanted: [collision, reduced].flatMap((series) => [SPARSE, DENSE].map((x) => ({ series, x }))),
      ours: large,
    },
  ],
  rules: [
    rule(
      "small",
      "Few bins: the collision-free method over the better of the others, the lowest ratio",
      "Table 1",
      ratios("least", FREE, OTHERS),
      1.1,
      "the best choice",
    ),
    rule(
      "large",
      "Many bins, a sparse feature: the collision method over the collision-reduced one",
      "Table 1",
      ratioSide({ series: collision, x: SPARSE }, { series: reduced, x: SPARSE }),
      { side: "above 1" },
      "the best choice",
    ),
    rule(
      "large",
      "Many bins, a dense feature: the collision-reduced method over the collision one",
      "Table 1",
      ratioSide({ series: reduced, x: DENSE }, { series: collision, x: DENSE }),
      { side: "above 1" },
      "the best choice",
    ),
  ],
  notes: [
    "The table calls a feature sparse if most of its values are zero. Zeros are skipped, so a sparse feature has few additions. Its dense features are those of the search engine, with equal values in runs (4.4.1).",
  ],
};

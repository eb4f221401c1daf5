import { claimOf } from "../data.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Figure, Panel, Point } from "../model.ts";
import { ratios, rule } from "../readings.ts";
import { asInPaper, byBins, OUR_FEATURES, pointsOf } from "./rows.ts";

const [paper, id] = ["xu", "figure-11"] as const;
const BINS = [128, 256, 512, 1024];
const SHARES = [0, 0.25, 0.5, 0.9, 0.99];
const MANY = ["weighted-collision", "weighted-collision-reduced", "weighted-hybrid"];
const [collision, reduced] = ["collision", "collision-reduced"] as const;
const skipped = (series: string) => `${series}, zeros skipped`;
/** 6.2.5's usual share of zeros, which Tables 6 and 7 are measured on, too. */
const USUAL = 0.8;
const MIXED = "features of all kinds";
const claim = (name: string) => claimOf(paper, id, name);

function cells(measured: Measured): SumsRow[] {
  // Cells of 128 bins without skipping are Table 7's; those of Table 6 are of one method.
  const rows = [...measured.sums("Figure 11"), ...measured.sums("Table 7")];
  return asInPaper(rows.filter(({ algorithm, bins }) => MANY.includes(algorithm!) && BINS.includes(bins)));
}

/** The better of both methods beside the hybrid, so that a factor can be read off. */
function withBest(points: readonly Point[]): Point[] {
  const best = points.flatMap((point) => {
    if (point.series !== collision) return [];
    const other = points.find(({ series, x }) => series === reduced && x === point.x);
    return other === undefined ? [] : [{ series: "best of both", x: point.x, y: Math.max(point.y, other.y) }];
  });
  return [...points, ...best];
}

const panel = (name: string, title: string, label: string, ours: Panel["ours"]): Panel => ({
  id: name,
  title,
  mark: "bar",
  x: { label, scale: "category" },
  y: { label: "GB/s of values", scale: "linear" },
  paper: [],
  wanted: [],
  ours,
});
const both = [collision, reduced].flatMap((series) => [series, skipped(series)]);

export const figure11: Figure = {
  paper,
  id,
  title: "Figure 11: methods for many bins, with and without skipping zeros",
  source: "6.2.5 and Figure 11; 4.4.2",
  lost: "all columns; the text gives factors",
  needs: "gpu",
  command: "run bench weighted-paper weighted-parameters weighted-shapes",
  panels: [
    {
      ...panel("bins", "Throughput by bins, 80% zeros", "bins", (measured) =>
        withBest(
          pointsOf(
            cells(measured).filter(({ weighted }) => weighted.zeroShare === USUAL),
            byBins,
          ),
        ),
      ),
      wanted: [...both, "hybrid", skipped("hybrid")].flatMap((series) => BINS.map((x) => ({ series, x }))),
    },
    {
      ...panel("mixed", "Throughput by bins, the features of Figure 10 in one table", "bins", (measured) =>
        withBest(
          pointsOf(
            cells(measured).filter(({ distribution }) => distribution === MIXED),
            byBins,
          ),
        ),
      ),
      wanted: [...both, "hybrid", skipped("hybrid")].flatMap((series) => BINS.map((x) => ({ series, x }))),
    },
    {
      ...panel("zeros", "Throughput by the share of zeros, 1,024 bins", "share of zeros", (measured) =>
        pointsOf(
          cells(measured).filter(
            ({ weighted, bins }) => bins === 1024 && SHARES.includes(weighted.zeroShare ?? -1),
          ),
          ({ weighted }) => weighted.zeroShare!,
        ),
      ),
      wanted: both.flatMap((series) => SHARES.map((x) => ({ series, x }))),
    },
  ],
  rules: [
    rule(
      "bins",
      "Collision-reduced over collision, at least",
      "6.2.5",
      ratios("least", reduced, collision),
      claim("reduced over collision, least"),
    ),
    rule(
      "bins",
      "Collision-reduced over collision, at most",
      "6.2.5",
      ratios("most", reduced, collision),
      claim("reduced over collision, most"),
    ),
    rule(
      "bins",
      "What skipping zeros gains the collision method",
      "4.4.2",
      ratios("median", skipped(collision), collision),
      claim("skipping gains"),
    ),
    rule(
      "bins",
      "What it gains the collision-reduced method",
      "4.4.2",
      ratios("median", skipped(reduced), reduced),
      claim("skipping gains"),
    ),
    rule(
      "mixed",
      "Features that differ: collision-reduced over collision",
      "6.2.5",
      ratios("median", reduced, collision),
      claim("reduced over collision, least"),
    ),
    rule(
      "mixed",
      "Features that differ: the hybrid over the better of both",
      "6.2.5",
      ratios("median", "hybrid", "best of both"),
      1 + claim("hybrid gains, least %") / 100,
    ),
    rule(
      "zeros",
      "The more zeros, the more skipping gains: at most",
      "4.4.2",
      ratios("most", skipped(collision), collision),
      claim("skipping gains"),
    ),
  ],
  notes: [
    OUR_FEATURES,
    "Where all features are alike the hybrid can only be as good as the better method; what it gains is read off the table of features that differ.",
  ],
};

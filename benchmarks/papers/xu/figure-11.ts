import { claimOf } from "../data.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Figure, Panel, Point } from "../model.ts";
import { ratios, rule } from "../readings/index.ts";
import {
  asInPaper,
  byBins,
  HYBRID_NOTE,
  INTEGERS,
  integersOf,
  OUR_FEATURES,
  ofIntegers,
  pointsOf,
} from "./rows.ts";

const [paper, id] = ["xu", "figure-11"] as const;
const BINS = [128, 256, 512, 1024];
const SHARES = [0, 0.25, 0.5, 0.9, 0.99];
const TWO = ["weighted-collision", "weighted-collision-reduced"];
const MANY = [...TWO, "weighted-hybrid"];
const [collision, reduced] = ["collision", "collision-reduced"] as const;
const [HYBRID, BEST] = [`hybrid${INTEGERS}`, `better of both${INTEGERS}`] as const;
const skipped = (series: string) => `${series}, zeros skipped`;
/** 6.2.5's usual share of zeros, which Tables 6 and 7 are measured on, too. */
const USUAL = 0.8;
const MIXED = "features of all kinds";
const claim = (name: string) => claimOf(paper, id, name);

function cells(measured: Measured): SumsRow[] {
  // Cells of 128 bins without skipping are Table 7's; those of Table 6 are of one method.
  const rows = [...measured.sums("Figure 11"), ...measured.sums("Table 7")];
  return rows.filter(({ algorithm, bins }) => MANY.includes(algorithm!) && BINS.includes(bins));
}

/** All methods by bins, and the better of both beside the hybrid where it chooses between them. */
function withHybrid(rows: readonly SumsRow[]): Point[] {
  const integers = ofIntegers(rows);
  const better = integers.filter(choosesForMany).flatMap(({ bins }) => {
    const both = TWO.map((name) => integers.find((row) => row.algorithm === name && row.bins === bins)?.gbps);
    return both.every((gbps) => gbps !== undefined) ? [{ series: BEST, x: bins, y: Math.max(...both) }] : [];
  });
  return [...pointsOf(asInPaper(rows), byBins), ...integersOf(rows, byBins), ...better];
}

/** A row of the hybrid's that gives no features to the collision-free method. */
function choosesForMany({ algorithm, weighted: { plans } }: SumsRow): boolean {
  return algorithm === "weighted-hybrid" && !plans.some((plan) => plan.startsWith("weighted-collision-free"));
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
        withHybrid(cells(measured).filter(({ weighted }) => weighted.zeroShare === USUAL)),
      ),
      wanted: [...both, HYBRID].flatMap((series) => BINS.map((x) => ({ series, x }))),
    },
    {
      ...panel("mixed", "Throughput by bins, the features of Figure 10 in one table", "bins", (measured) =>
        withHybrid(cells(measured).filter(({ distribution }) => distribution === MIXED)),
      ),
      wanted: both.flatMap((series) => BINS.map((x) => ({ series, x }))),
    },
    {
      ...panel("zeros", "Throughput by the share of zeros, 1,024 bins", "share of zeros", (measured) =>
        pointsOf(
          asInPaper(cells(measured)).filter(
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
      ratios("median", HYBRID, BEST),
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
    HYBRID_NOTE,
    "Where all features are alike the hybrid can only be as good as the better method; what it gains is read off the table of features that differ, without bins that it leaves to the collision-free method. That table's cells are of floats where the device adds them: what the hybrid gains with integers is not measured there.",
  ],
};

import { median } from "../../src/runner/statistics.ts";
import { claimOf } from "../data.ts";
import type { Measured, SumsRow } from "../measured.ts";
import type { Figure, Panel, Point } from "../model.ts";
import { because, digits, ratioSide, ratios, ratiosFrom, rule } from "../readings/index.ts";
import { floatAtomics } from "./causes.ts";
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
const [HYBRID, BEST] = ["hybrid", "better of both"] as const;
/** The hybrid may lose as much to the better method by noise. */
const NOISE = 0.97;
const skipped = (series: string) => `${series}, zeros skipped`;
/** The usual share of zeros in 6.2.5, also used by Tables 6 and 7. */
const USUAL = 0.8;
const MIXED = "features of all kinds";
const claim = (name: string) => claimOf(paper, id, name);

/** The cells of the suite that measures the hybrid next to its methods, else those of the other suites. */
function hybridCells(measured: Measured): SumsRow[] {
  const own = measured
    .rows("weighted-hybrid")
    .filter((row): row is SumsRow => row.weighted !== undefined && BINS.includes(row.bins));
  return own.length > 0 ? own.filter(({ algorithm }) => MANY.includes(algorithm!)) : cells(measured);
}

function cells(measured: Measured): SumsRow[] {
  // Cells of 128 bins without skipping come from Table 7. Those of Table 6 have one method only.
  const rows = [...measured.sums("Figure 11"), ...measured.sums("Table 7")];
  return rows.filter(({ algorithm, bins }) => MANY.includes(algorithm!) && BINS.includes(bins));
}

/** Lists all methods by bins, and the better of both if the hybrid chooses between them. */
function withHybrid(rows: readonly SumsRow[]): Point[] {
  const shown = asInPaper(rows);
  const integers = ofIntegers(rows).filter((row) => !shown.includes(row));
  return [
    ...pointsOf(shown, byBins),
    ...integersOf(rows, byBins),
    ...betterOf(rows, shown, ""),
    ...betterOf(rows, integers, INTEGERS),
  ];
}

/** The better of both methods in calls like the hybrid's: the same bins and arithmetic, and zeros skipped or not. */
function betterOf(rows: readonly SumsRow[], shown: readonly SumsRow[], behind: string): Point[] {
  return shown.filter(choosesForMany).flatMap(({ bins, weighted: { precision, skip } }) => {
    const like = rows.filter(
      ({ weighted, bins: of }) => of === bins && weighted.precision === precision && weighted.skip === skip,
    );
    const both = TWO.map((name) => like.find(({ algorithm }) => algorithm === name)?.gbps);
    if (both.some((gbps) => gbps === undefined)) return [];
    const series = (skip ? skipped(BEST) : BEST) + behind;
    return [{ series, x: bins, y: Math.max(...(both as number[])) }];
  });
}

/** Names the number of bins at which the hybrid loses most, and its choice there. */
function worseChoice(measured: Measured, skips: boolean): string | null {
  const rows = hybridCells(measured).filter(
    ({ weighted }) => weighted.zeroShare === USUAL && weighted.skip === skips,
  );
  const losses = asInPaper(rows)
    .filter(choosesForMany)
    .flatMap((hybrid) => {
      const like = rows.filter(
        ({ bins, algorithm, weighted }) =>
          bins === hybrid.bins &&
          TWO.includes(algorithm!) &&
          weighted.precision === hybrid.weighted.precision,
      );
      const best = like.toSorted((a, b) => b.gbps - a.gbps)[0];
      return best === undefined ? [] : [{ hybrid, best, factor: hybrid.gbps / best.gbps }];
    });
  const worst = losses.toSorted((a, b) => a.factor - b.factor)[0];
  if (worst === undefined) return null;
  const { hybrid, best } = worst;
  const chosen = [...new Set(hybrid.weighted.plans.map((plan) => plan.split(":")[0]))].join(" and ");
  return `With ${digits(hybrid.bins)} bins the hybrid chose ${chosen} and reaches ${digits(hybrid.gbps)} GB/s, while ${best.algorithm} reaches ${digits(best.gbps)} GB/s.`;
}

/** Whether a row is the hybrid's and gives no features to the collision-free method. */
function choosesForMany({ algorithm, weighted: { plans } }: SumsRow): boolean {
  return algorithm === "weighted-hybrid" && !plans.some((plan) => plan.startsWith("weighted-collision-free"));
}

const GAIN = "skipping over not skipping";

/** The median gain of both methods from skipping zeros. */
function gains(rows: readonly SumsRow[]): Point[] {
  const points = pointsOf(asInPaper(rows), byBins);
  return [collision, reduced].flatMap((x) => {
    const factors = points.flatMap((point) => {
      const plain = points.find(({ series, x: bins }) => series === x && bins === point.x)?.y;
      return point.series === skipped(x) && plain !== undefined ? [point.y / plain] : [];
    });
    return factors.length === 0 ? [] : [{ series: GAIN, x, y: median(factors) }];
  });
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
  lost: "all columns. The text gives factors",
  needs: "gpu",
  command: "run bench weighted-hybrid weighted-parameters",
  panels: [
    {
      ...panel("bins", "Throughput by bins, 80% zeros", "bins", (measured) =>
        withHybrid(hybridCells(measured).filter(({ weighted }) => weighted.zeroShare === USUAL)),
      ),
      wanted: [...both, HYBRID, skipped(HYBRID)].flatMap((series) => BINS.map((x) => ({ series, x }))),
    },
    {
      ...panel("mixed", "Throughput by bins, the features of Figure 10 in one table", "bins", (measured) =>
        withHybrid(hybridCells(measured).filter(({ distribution }) => distribution === MIXED)),
      ),
      wanted: [...both, HYBRID, skipped(HYBRID)].flatMap((series) => BINS.map((x) => ({ series, x }))),
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
    {
      ...panel(
        "gains",
        "The median gain from skipping zeros over the numbers of bins",
        "method",
        (measured) => gains(cells(measured).filter(({ weighted }) => weighted.zeroShare === USUAL)),
      ),
      wanted: [collision, reduced].map((x) => ({ series: GAIN, x })),
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
    because(
      rule(
        "bins",
        "Gain of the collision method from skipping zeros",
        "4.4.2",
        ratios("median", skipped(collision), collision),
        claim("skipping gains"),
      ),
      floatAtomics,
    ),
    rule(
      "bins",
      "Gain of the collision-reduced method from skipping zeros",
      "4.4.2",
      ratios("median", skipped(reduced), reduced),
      claim("skipping gains"),
    ),
    rule(
      "mixed",
      "Features of different kinds: collision-reduced over collision",
      "6.2.5",
      ratios("median", reduced, collision),
      claim("reduced over collision, least"),
    ),
    ...[["", HYBRID, BEST] as const, [", zeros skipped", skipped(HYBRID), skipped(BEST)] as const].flatMap(
      ([what, hybrid, better]) => [
        rule(
          "mixed",
          `Features of different kinds: the hybrid over the better of both${what}`,
          "6.2.5",
          ratios("median", hybrid, better),
          1 + claim("hybrid gains, least %") / 100,
        ),
        because(
          rule(
            "bins",
            `The hybrid is nowhere slower than the better of both${what}`,
            "4.5",
            ratiosFrom(hybrid, better, NOISE),
            1,
            "the best performance",
          ),
          (measured) => worseChoice(measured, hybrid === skipped(HYBRID)),
        ),
      ],
    ),
    rule(
      "gains",
      "Skipping zeros helps the collision method more than the collision-reduced one",
      "6.2.5",
      ratioSide({ series: GAIN, x: collision }, { series: GAIN, x: reduced }),
      { side: "above 1" },
      "more beneficial",
    ),
  ],
  notes: [
    OUR_FEATURES,
    HYBRID_NOTE,
    "If all features are alike, the hybrid can only be as good as the better method. Its gain comes from the table of different features, without the bins that it gives to the collision-free method.",
  ],
};
